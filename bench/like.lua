-- Likes another post each time, in the name of another account. The token and the prefix of the accounts come from the environment.
local prefix = os.getenv("LIKE_PREFIX")
local posts = tonumber(os.getenv("LIKE_POSTS"))
local row = '{"post_id":"filled_%d","user_id":"%s_%d"}'
local made = 0

wrk.method = "POST"
wrk.headers["Authorization"] = "Bearer " .. os.getenv("LIKE_TOKEN")
wrk.headers["Content-Type"] = "application/json"

request = function()
  made = made + 1
  return wrk.format(nil, nil, nil, string.format(row, 1 + (made * 7919) % posts, prefix, made))
end
