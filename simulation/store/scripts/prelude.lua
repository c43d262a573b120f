-- What a script finds: the libraries of a server, and no global of its own.
--
-- Gets what the host does: call(words …), random(), seed(number), sha1(text), decode(text, null).
-- Returns compile(text) -> function or nil and a message; run(function, keys, values) ->
-- true and the result, or false and {err, line}.

local call, random, seed, sha1, decode = ...

local null = newproxy()

-- The server counts lines in the script alone, so those of this file are skipped.
local function handle(err)
  local level, info = 2, nil
  repeat
    info = debug.getinfo(level, 'Sl')
    level = level + 1
  until not info or info.source == '@user_script'
  if type(err) ~= 'table' then
    err = {err = 'ERR ' .. tostring(err)}
  end
  err.line = info and info.currentline or 1
  return err
end

local redis = {
  LOG_DEBUG = 0, LOG_VERBOSE = 1, LOG_NOTICE = 2, LOG_WARNING = 3,
  sha1hex = function(...)
    if select('#', ...) ~= 1 then
      error({err = 'ERR wrong number of arguments'})
    end
    return sha1(tostring((...)))
  end,
  status_reply = function(text)
    return {ok = text}
  end,
  error_reply = function(text)
    return {err = text}
  end,
  log = function() end,
  pcall = call,
  call = function(...)
    local reply = call(...)
    if type(reply) == 'table' and reply.err then
      error(reply)
    end
    return reply
  end
}

-- A script that catches the error of a command gets its text, not the table.
local function show_error(ok, err, ...)
  if not ok and type(err) == 'table' and err.err then
    return false, err.err
  end
  return ok, err, ...
end

local function catch(...)
  return show_error(pcall(...))
end

local ESCAPES = {['"'] = '\\"', ['\\'] = '\\\\', ['/'] = '\\/', ['\b'] = '\\b', ['\f'] = '\\f',
  ['\n'] = '\\n', ['\r'] = '\\r', ['\t'] = '\\t', ['\127'] = '\\u007f'}
for code = 0, 31 do
  local sign = string.char(code)
  ESCAPES[sign] = ESCAPES[sign] or string.format('\\u%04x', code)
end

local function quote(text)
  return '"' .. string.gsub(text, '[%c"\\/\127]', ESCAPES) .. '"'
end

-- Return the length of a table that is an array, nil for others; {} is an object.
local function measure(value)
  local most, count = 0, 0
  for key in pairs(value) do
    if type(key) ~= 'number' or key < 1 or key ~= math.floor(key) then
      return nil
    end
    most, count = math.max(most, key), count + 1
  end
  if most > 10 and most > 2 * count then
    error('Cannot serialise table: excessively sparse array')
  end
  return count > 0 and most or nil
end

local encode
local function encode_number(value)
  if value ~= value or value == math.huge or value == -math.huge then
    error('Cannot serialise number: must not be NaN or Inf')
  end
  return string.format('%.14g', value)
end

local function encode_table(value, depth)
  if depth > 1000 then
    error('Cannot serialise, excessive depth (' .. depth .. ')')
  end
  local parts, most = {}, measure(value)
  if most then
    for i = 1, most do
      parts[i] = encode(value[i], depth)
    end
    return '[' .. table.concat(parts, ',') .. ']'
  end
  for key, one in pairs(value) do
    local name = type(key) == 'number' and '"' .. encode_number(key) .. '"' or quote(key)
    parts[#parts + 1] = name .. ':' .. encode(one, depth)
  end
  return '{' .. table.concat(parts, ',') .. '}'
end

encode = function(value, depth)
  local kind = type(value)
  if kind == 'string' then
    return quote(value)
  elseif kind == 'number' then
    return encode_number(value)
  elseif kind == 'boolean' then
    return tostring(value)
  elseif kind == 'nil' or value == null then
    return 'null'
  elseif kind == 'table' then
    return encode_table(value, depth + 1)
  end
  error('Cannot serialise ' .. kind .. ': type not supported')
end

local cjson = {
  null = null,
  encode = function(value)
    return encode(value, 0)
  end,
  decode = function(text)
    local value = decode(text, null)
    if type(value) == 'table' and value.trouble then
      error(value.trouble, 2)
    end
    return value.found
  end
}

local lua_math = {}
for name, one in pairs(math) do
  lua_math[name] = one
end
lua_math.random = function(low, high)
  local chance = random()
  if not low then
    return chance
  end
  if not high then
    low, high = 1, low
  end
  if low > high then
    error('bad argument #1 to \'random\' (interval is empty)', 2)
  end
  return math.floor(chance * (high - low + 1)) + low
end
lua_math.randomseed = function(number)
  seed(number)
end

local function lock(one)
  return setmetatable({}, {
    __index = one,
    __newindex = function()
      error('Attempt to modify a readonly table', 2)
    end,
    __metatable = false
  })
end

local globals = {
  assert = assert, collectgarbage = collectgarbage, error = error, getmetatable = getmetatable,
  ipairs = ipairs, loadstring = loadstring, next = next, pairs = pairs, pcall = catch,
  rawequal = rawequal, rawget = rawget, rawset = rawset, select = select,
  setmetatable = setmetatable, tonumber = tonumber, tostring = tostring, type = type,
  unpack = unpack, xpcall = xpcall, coroutine = coroutine, string = string, table = table,
  math = lua_math, os = {clock = os.clock}, cjson = cjson, redis = lock(redis),
  server = lock(redis), _VERSION = _VERSION
}

local environment = setmetatable({}, {
  __index = function(_, name)
    local found = globals[name]
    if found == nil then
      error('Script attempted to access nonexistent global variable \'' .. tostring(name) .. '\'', 2)
    end
    return found
  end,
  __newindex = function()
    error('Attempt to modify a readonly table', 2)
  end,
  __metatable = false
})
globals._G = environment

local function compile(text)
  local made, message = loadstring('local KEYS,ARGV=...;' .. text, '@user_script')
  if not made then
    return nil, message
  end
  return setfenv(made, environment)
end

local function run(script, keys, values)
  return xpcall(function()
    return script(keys, values)
  end, handle)
end

return compile, run
