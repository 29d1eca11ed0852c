-- Requests another URL each time: @ID and @TIME stand for one of the posts that bench/posts.ts creates.
local template = os.getenv("VARY_TEMPLATE")
local posts = tonumber(os.getenv("VARY_POSTS"))
local count = 0

function request()
  count = count + 1
  local post = 30 + (count * 7919) % (posts - 30)
  local path = template:gsub("@ID", tostring(post)):gsub("@TIME", tostring(1700000000000 + post))
  return wrk.format("GET", path)
end
