-- Creates one post after the other, each with an id of its own. The token and the prefix of the ids come from the environment.
local prefix = os.getenv("CREATE_PREFIX")
local row = '{"id":"%s_%d","user_id":"user_bench","title":"On the coronary vessels","content":"The chambers fill.","image_url":"/storage/journal/posts/1.webp"}'
local made = 0

wrk.method = "POST"
wrk.headers["Authorization"] = "Bearer " .. os.getenv("CREATE_TOKEN")
wrk.headers["Content-Type"] = "application/json"

request = function()
  made = made + 1
  return wrk.format(nil, nil, nil, string.format(row, prefix, made))
end
