const js = String.raw;

/** `test/support/cases.js`: everything that checks an argument, with a spread of wrong and right values. */
export const CASES = js`'use strict'

// Every place that checks an argument, as [group, option, values => outcome]. The golden file holds what each answers.
const undici = require('../..')
const Request = require('../../lib/core/request')
const util = require('../../lib/core/util')
const buildConnector = require('../../lib/core/connect')
const RedirectHandler = require('../../lib/handler/redirect-handler')
const RoundRobinPool = require('../../lib/dispatcher/round-robin-pool')
const H2CClient = require('../../lib/dispatcher/h2c-client')
const { MockCallHistory } = require('../../lib/mock/mock-call-history')

const ORIGIN = 'http://localhost:9'
const noop = () => {}
const handler = { onConnect: noop, onError: noop, onHeaders: noop, onData: noop, onComplete: noop, onUpgrade: noop }

const values = {
  undefined, null: null, 0: 0, '-1': -1, 1: 1, 1.5: 1.5, NaN, Infinity, "''": '', "'1'": '1',
  true: true, false: false, '{}': {}, '[]': [], '() => {}': noop
}

const clientOptions = [
  'keepAlive', 'socketTimeout', 'requestTimeout', 'idleTimeout', 'maxKeepAliveTimeout', 'maxHeaderSize', 'socketPath',
  'connectTimeout', 'keepAliveTimeout', 'keepAliveMaxTimeout', 'keepAliveTimeoutThreshold', 'headersTimeout',
  'bodyTimeout', 'connect', 'maxRequestsPerClient', 'localAddress', 'maxResponseSize',
  'autoSelectFamilyAttemptTimeout', 'allowH2', 'maxConcurrentStreams', 'useH2c', 'initialWindowSize',
  'connectionWindowSize', 'pingInterval'
]

const requestOptions = [
  'path', 'method', 'upgrade', 'headersTimeout', 'bodyTimeout', 'reset', 'expectContinue', 'throwOnError',
  'maxRedirections', 'typeOfService', 'body', 'headers'
]

const cases = []
const add = (group, option, run) => cases.push({ group, option, run })
const addAll = (group, options, run) => {
  for (const option of options) add(group, option, (value) => run(option, value))
}

addAll('Client', clientOptions, (option, value) => new undici.Client(ORIGIN, { [option]: value }))
addAll('Pool', ['connections', 'factory', 'connect', 'clientTtl'], (option, value) => new undici.Pool(ORIGIN, { [option]: value }))
addAll('RoundRobinPool', ['connections', 'factory', 'connect'], (option, value) => new RoundRobinPool(ORIGIN, { [option]: value }))
addAll('BalancedPool', ['factory', 'connect'], (option, value) => new undici.BalancedPool([ORIGIN], { [option]: value }))
addAll('Agent', ['factory', 'connect', 'maxOrigins'], (option, value) => new undici.Agent({ [option]: value }))
addAll('H2CClient', ['maxConcurrentStreams', 'pipelining'], (option, value) => new H2CClient(ORIGIN, { [option]: value }))
addAll('ProxyAgent', ['uri', 'clientFactory', 'token'], (option, value) => new undici.ProxyAgent({ uri: ORIGIN, auth: option === 'token' ? 'a' : undefined, [option]: value }))
add('ProxyAgent', 'options', (value) => new undici.ProxyAgent(value))
addAll('Request', requestOptions, (option, value) => new Request(ORIGIN, { path: '/', method: 'GET', [option]: value }, handler))
addAll('assertRequestHandler', ['onConnect', 'onError', 'onBodySent', 'onHeaders', 'onData', 'onComplete', 'onRequestStart'],
  (option, value) => util.assertRequestHandler({ ...handler, [option]: value }, 'GET'))
add('assertRequestHandler', 'onUpgrade', (value) => util.assertRequestHandler({ ...handler, onUpgrade: value }, 'CONNECT'))
add('assertRequestHandler', 'handler', (value) => util.assertRequestHandler(value, 'GET'))
add('buildConnector', 'maxCachedSessions', (value) => buildConnector({ maxCachedSessions: value }))
add('RedirectHandler', 'buildDispatch', (value) => RedirectHandler.buildDispatch({ dispatch: noop }, value))
add('RedirectHandler', 'constructor', (value) => new RedirectHandler(noop, value, { method: 'GET' }, handler))
add('dump', 'maxSize', (value) => undici.interceptors.dump({ maxSize: value })(noop)({ method: 'GET' }, handler))
add('decompress', 'maxSize', (value) => undici.interceptors.decompress({ maxSize: value })(noop)({ method: 'GET' }, handler))
addAll('dns', ['maxTTL', 'maxItems', 'affinity', 'dualStack', 'lookup', 'pick', 'storage'], (option, value) => undici.interceptors.dns({ [option]: value }))
add('MockAgent', 'agent', (value) => new undici.MockAgent({ agent: value }))
addAll('MockAgent', ['enableCallHistory', 'acceptNonStandardSearchParameters', 'ignoreTrailingSlash'], (option, value) => new undici.MockAgent({ [option]: value }))
add('MockClient', 'agent', (value) => new undici.MockClient(ORIGIN, { agent: value }))
add('MockPool', 'agent', (value) => new undici.MockPool(ORIGIN, { agent: value }))

const interceptor = () => new undici.MockPool(ORIGIN, { agent: new undici.MockAgent() }).intercept({ path: '/', method: 'GET' })
add('MockPool', 'intercept', (value) => new undici.MockPool(ORIGIN, { agent: new undici.MockAgent() }).intercept(value))
add('MockInterceptor', 'reply', (value) => interceptor().reply(value))
add('MockInterceptor', 'replyOptions', (value) => interceptor().reply(200, '', value))
add('MockInterceptor', 'replyWithError', (value) => interceptor().replyWithError(value))
add('MockInterceptor', 'defaultReplyHeaders', (value) => interceptor().defaultReplyHeaders(value))
add('MockInterceptor', 'defaultReplyTrailers', (value) => interceptor().defaultReplyTrailers(value))
add('MockScope', 'delay', (value) => interceptor().reply(200).delay(value))
add('MockScope', 'times', (value) => interceptor().reply(200).times(value))
add('MockCallHistory', 'nthCall', (value) => new MockCallHistory('h').nthCall(value))
add('MockCallHistory', 'filterCalls', (value) => new MockCallHistory('h').filterCalls(value))
add('setGlobalDispatcher', 'agent', (value) => undici.setGlobalDispatcher(value))

// The five calls answer through a callback, so these outcomes are promises.
const { request, stream, pipeline, connect, upgrade } = require('../../lib/api')
const through = (start) => new Promise((resolve, reject) => {
  start((error) => error ? reject(error) : resolve(), { dispatch: () => resolve() })
})
const calls = {
  request: (opts) => through((done, self) => request.call(self, opts, done)),
  stream: (opts) => through((done, self) => stream.call(self, opts, noop, done)),
  pipeline: (opts) => through((done, self) => { pipeline.call(self, opts, noop).on('error', done) }),
  connect: (opts) => through((done, self) => connect.call(self, opts, done)),
  upgrade: (opts) => through((done, self) => upgrade.call(self, opts, done))
}
for (const [name, call] of Object.entries(calls)) {
  add(name, 'opts', call)
  for (const option of ['signal', 'method', 'onInfo', 'highWaterMark']) {
    add(name, option, (value) => call({ path: '/', method: 'GET', [option]: value }))
  }
  add(name, 'method CONNECT', () => call({ path: '/', method: 'CONNECT' }))
}
add('request', 'callback', (value) => request.call({ dispatch: noop }, {}, value))
add('stream', 'factory', (value) => through((done, self) => stream.call(self, {}, value, done)))
add('pipeline', 'handler', (value) => through((done, self) => { pipeline.call(self, {}, value).on('error', done) }))

for (const method of ['close', 'destroy']) {
  add('DispatcherBase', method, (value) => { new undici.Client(ORIGIN)[method](value) })
}
add('DispatcherBase', 'dispatch handler', (value) => { new undici.Client(ORIGIN).dispatch({ path: '/', method: 'GET' }, value) })
add('DispatcherBase', 'dispatch opts', (value) => through((done) => { new undici.Client(ORIGIN).dispatch(value, { ...handler, onError: done }); done() }))

// Two wrong options at once: the order of the checks decides which message comes.
const wrong = { connect: 1, localAddress: 1, allowH2: 1, socketPath: 1, maxHeaderSize: 0, pingInterval: -1, connectTimeout: -1, maxResponseSize: -2 }
const names = Object.keys(wrong)
for (const first of names) {
  for (const second of names.slice(names.indexOf(first) + 1)) {
    add('two wrong options', first + ' and ' + second, () => new undici.Client(ORIGIN, { [first]: wrong[first], [second]: wrong[second] }))
  }
}

// Calls without a callback return a promise that nothing settles here.
const soon = () => new Promise((resolve) => setTimeout(resolve, 10))

async function outcome (run) {
  try {
    await Promise.race([run(), soon()])
    return 'ok'
  } catch (error) {
    return [error.name, error.code, error.message].join(' | ')
  }
}

async function outcomes ({ run }) {
  const found = {}
  for (const [label, value] of Object.entries(values)) found[label] = await outcome(() => run(value))
  return found
}

module.exports = { cases, outcomes }
`;

export const MAKE_GOLDEN = js`'use strict'

// Writes golden.json from the library as it is. Only for the untouched library.
const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { cases, outcomes } = require('./cases.js')

async function main () {
  const golden = {}
  for (const entry of cases) golden[entry.group + ' ' + entry.option] = await outcomes(entry)
  writeFileSync(join(__dirname, 'golden.json'), JSON.stringify(golden, null, 1) + '\n')
  const all = Object.values(golden).flatMap((found) => Object.values(found))
  const messages = new Set(all.filter((text) => text.startsWith('InvalidArgumentError')))
  console.log({ cases: cases.length, outcomes: all.length, refused: all.filter((text) => text !== 'ok').length, messages: messages.size })
}

main()
`;

export const GOLDEN_TEST = js`'use strict'

const { test } = require('node:test')
const assert = require('node:assert/strict')
const { cases, outcomes } = require('./support/cases.js')
const golden = require('./support/golden.json')

for (const entry of cases) {
  const title = entry.group + ' ' + entry.option
  test(title, async () => assert.deepEqual(await outcomes(entry), golden[title]))
}
`;
