/** Lua scripts, each of which Redis runs in one step. Lua's numbers are exact up to 2^53, which milliseconds never reach. */

/** Reads a stream in batches until it ends, or until there are `count` entries or more than `bytes` bytes. */
const READ = `
local function read(command, from, to, count, bytes)
  local entries = {}
  while #entries < count do
    local asked = math.min(32, count - #entries)
    local some = redis.call(command, KEYS[1], from, to, 'COUNT', asked)
    for _, entry in ipairs(some) do
      bytes = bytes - #entry[2][2]
      if #entries > 0 and bytes < 0 then return entries, true end
      entries[#entries + 1] = entry
    end
    if #some < asked then break end
    from = '(' .. some[asked][1]
  end
  return entries, false
end
`;

/**
 * Stores a message and publishes its id, the id before it and its text to the nodes that listen. When the last message of this
 * sender has the same number, it is this one, and is not stored again.
 * KEYS: stream, what the sender has published last. ARGV: text, messages to store, ms to store them, pub/sub topic, number or
 * nothing. Returns the id.
 */
export const PUBLISH = `
if ARGV[5] ~= '' then
  local known = redis.call('HMGET', KEYS[2], 'number', 'id')
  if known[1] == ARGV[5] then return known[2] end
end
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local id = redis.call('XADD', KEYS[1], 'MAXLEN', '=', ARGV[2], '*', 'm', ARGV[1])
local ms = tonumber(string.match(id, '^%d+'))
redis.call('XTRIM', KEYS[1], 'MINID', '=', string.format('%.0f', ms - tonumber(ARGV[3])))
redis.call('PEXPIRE', KEYS[1], tonumber(ARGV[3]) * 2)
if ARGV[5] ~= '' then
  redis.call('HSET', KEYS[2], 'number', ARGV[5], 'id', id)
  redis.call('PEXPIRE', KEYS[2], tonumber(ARGV[3]))
end
redis.call('PUBLISH', ARGV[4], 'm ' .. (newest and newest[1] or '') .. ' ' .. id .. ' ' .. ARGV[1])
return id
`;

/**
 * Reads all messages after an id, or only the position of the channel.
 * KEYS: stream, era. ARGV: id or nothing, ms that messages are stored, bytes at most, project. Returns 1 or 0 for whether
 * the messages are complete, the position after them, and the messages.
 *
 * Nothing is complete after an id from before the last RESYNC of the project, or that of all projects.
 *
 * If the stream has a message with this id, nothing after it is missing. If it has none, the id was a position before the
 * first message, or its message was deleted. Such an id is accepted only if the stream was never trimmed and this server
 * has been running since then: a server before it may have stored more messages.
 *
 * The position of an empty channel is a minute before the current time, so that the next message gets a greater id even
 * if the clock is set back by up to a minute.
 */
export const SINCE = `${READ}
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local began = tonumber(redis.call('HGET', KEYS[2], 'at') or now)
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local quiet = math.min(now - 1, math.max(began, now - 60000))
local last = newest and newest[1] or (string.format('%.0f', quiet) .. '-0')
local after = ARGV[1]
if after == '' then return {1, last, {}} end
local function reply(from)
  local entries, isTooMuch = read('XRANGE', from, '+', math.huge, tonumber(ARGV[3]))
  if isTooMuch then return {0, last, {}} end
  return {1, last, entries}
end
local function parts(id)
  local ms, seq = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(ms), tonumber(seq)
end
local ms, seq = parts(after)
for _, whose in ipairs({ARGV[4], '*'}) do
  if ms < tonumber(redis.call('HGET', KEYS[2], 'resync:' .. whose) or 0) then return {0, last, {}} end
end
if redis.call('XRANGE', KEYS[1], after, after)[1] then
  return reply('(' .. after)
end
if ms < began or ms < now - tonumber(ARGV[2]) then return {0, last, {}} end
if not newest then return {ms <= now and 1 or 0, last, {}} end
local info = redis.call('XINFO', 'STREAM', KEYS[1])
local facts = {}
for at = 1, #info, 2 do facts[info[at]] = info[at + 1] end
local firstMs, firstSeq = parts(redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1][1])
local before = ms < firstMs or (ms == firstMs and seq < firstSeq)
if before and facts['entries-added'] == facts['length'] then return reply('-') end
return {0, last, {}}
`;

/**
 * Returns the entries that XRANGE or XREVRANGE finds, up to a number of messages and bytes.
 * KEYS: stream. ARGV: command, from, to, messages at most, bytes at most.
 */
export const HISTORY = `${READ}
return (read(ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])))
`;

/** Stores the time of a project's resync, and tells the nodes. KEYS: era. ARGV: project, pub/sub topic. */
export const RESYNC = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('HSET', KEYS[1], 'resync:' .. ARGV[1], string.format('%.0f', now))
redis.call('PUBLISH', ARGV[2], ARGV[1])
return 1
`;

/**
 * Stores the time at which this server was first seen running. If it took the place of another one, it may lack the last
 * messages of that, which somebody was told were published: all clients fetch anew.
 * KEYS: era. ARGV: 1 or nothing for whether it may have taken another one's place.
 */
export const BEGIN_ERA = `
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local former = redis.call('HGET', KEYS[1], 'run')
if former ~= run then
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  redis.call('HSET', KEYS[1], 'run', run, 'at', string.format('%.0f', now))
  if former and ARGV[1] == '1' then redis.call('HSET', KEYS[1], 'resync:*', string.format('%.0f', now)) end
end
return 1
`;

/** Returns what the server says of its memory. */
export const MEMORY = `return redis.call('INFO', 'memory')`;
