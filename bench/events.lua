-- Sends batches of events as the browsers of many readers do: each call has another IP address, browser and visit.
local batch = tonumber(os.getenv("EVENT_BATCH"))
local posts = tonumber(os.getenv("EVENT_POSTS"))
local bodies = {}
local made = 0
local agents = {
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
  "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
}
local languages = { "en-GB", "de-DE", "fr-FR", "es-ES" }
local channels = { "direct", "organic", "social", "referral" }
local event = '{"type":"%s","timestamp":"%s","session_id":"visit-%d","pathname":"%s","referrer":"https://search.example/",'
  .. '"screen_width":1440,"language":"%s","channel":"%s","depth":%d}'

local function body(number)
  local events = {}
  for at = 1, batch do
    local n = number * batch + at
    local path = n % 3 == 0 and "/gallery" or "/post/post_" .. (n * 7919) % posts + 1
    local kind = n % 5 == 0 and "read.completed" or "pageview"
    local time = os.date("!%Y-%m-%dT%H:%M:%SZ")
    events[at] = event:format(kind, time, number, path, languages[number % 4 + 1], channels[number % 3 + 1], n % 100)
  end
  return '{"events":[' .. table.concat(events, ",") .. "]}"
end

init = function()
  for number = 1, 500 do
    bodies[number] = body(number)
  end
end

request = function()
  made = made + 1
  local headers = {
    ["Content-Type"] = "application/json",
    ["User-Agent"] = agents[made % 3 + 1],
    ["X-Forwarded-For"] = "203.0." .. made % 97 .. "." .. made % 251,
  }
  return wrk.format("POST", nil, headers, bodies[made % 500 + 1])
end
