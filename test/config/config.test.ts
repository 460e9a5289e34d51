import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readConfig, readKeys, SettingsError, settingsTable } from '../../src/config/config.ts'

function refusalOf(env: Parameters<typeof readConfig>[0]): SettingsError | undefined {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof SettingsError) return error
  }
}

const least = { DATA_DIR: '/data' }

test('without any setting every value has a default', () => {
  expect(readConfig(least)).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    dataDir: '/data',
    databaseUrl: undefined,
    roles: ['web', 'worker', 'runner'],
    executor: 'process',
    logLimit: 4_500_000,
    cancelGraceSeconds: 5,
  })
})

test('an empty or blank variable counts as missing', () => {
  expect(readConfig({ ...least, PORT: '', HOST: '  ' })).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
  })
})

test.each([
  ['true', true],
  ['false', false],
  ['10.0.0.0/8, ::1,loopback', ['10.0.0.0/8', '::1', 'loopback']],
])('trusted proxies are read from %s', (value, trustProxy) => {
  expect(readConfig({ ...least, TRUST_PROXY: value })).toMatchObject({ trustProxy })
})

test('administrators are named by code host and login', () => {
  expect(readConfig({ ...least, ADMINS: 'codehost:Octavia, github:bert,LOCAL:ci' }).admins).toEqual(
    ['codehost:octavia', 'codehost:bert', 'local:ci'],
  )
  expect(readConfig(least).admins).toEqual([])
})

describe('the data folder', () => {
  test('is made an absolute path', () => {
    expect(readConfig({ DATA_DIR: 'here' }).dataDir).toBe(`${process.cwd()}/here`)
  })

  test("is the system's usual folder by default", () => {
    const isRoot = process.getuid?.() === 0
    const expected = isRoot ? '/var/lib/build-service' : '/xdg/build-service'
    expect(readConfig({ XDG_DATA_HOME: '/xdg' }).dataDir).toBe(expected)
  })
})

test.each([
  ['HOST', '999.1.1.1', 'HOST must be a host name or an IP address'],
  ['HOST', 'example.org/ci', 'HOST must be a host name or an IP address'],
  ...['2', '10.0.0.0/33', 'proxy.example.org', '127.0.0.1,'].map((value) => [
    'TRUST_PROXY',
    value,
    'TRUST_PROXY must be true, false, or a comma-separated list of addresses and networks of ' +
      'proxies, such as 10.0.0.0/8; loopback, linklocal, uniquelocal stand for networks as well',
  ]),
  ...['octavia', 'gitlab:octavia', 'codehost:', 'codehost:a,'].map((value) => [
    'ADMINS',
    value,
    'ADMINS must be logins like codehost:octavia or local:octavia',
  ]),
  ['PORT', '70000', 'PORT must be a whole number from 0 to 65535'],
  ['PORT', '80x', 'PORT must be a whole number from 0 to 65535'],
  [
    'DATABASE_URL',
    'mysql://h/d',
    'DATABASE_URL must be an address that begins with postgres:// or postgresql://',
  ],
  ['REDIS_URL', 'localhost', 'REDIS_URL must be an address that begins with redis:// or rediss://'],
  [
    'PUBLIC_URL',
    'ci.example.org',
    'PUBLIC_URL must be an address that begins with http:// or https://',
  ],
  ...[
    'http://app.example.org',
    'app.example.org',
    'app.example.org:443',
    'https://app.example.org/after',
    'https://user@app.example.org',
    'https://app.example.org,',
    '*',
  ].map((value) => [
    'ALLOWED_ORIGINS',
    value,
    'ALLOWED_ORIGINS must be origins such as https://app.example.org, separated by commas',
  ]),
  ['ROLE', 'web,cook', 'ROLE must be one of web, worker, runner'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent'],
  ['STATUS_FOR_SKIPPED', 'maybe', 'STATUS_FOR_SKIPPED must be true or false'],
  [
    'MASTER_KEY',
    'short',
    'MASTER_KEY must be 32 bytes, as 64 hex digits or in base64, or several separated by commas',
  ],
  ['APP_ID', '1', 'PRIVATE_KEY or PRIVATE_KEY_PATH is needed with APP_ID'],
  ['CANCEL_GRACE_SECONDS', '301', 'CANCEL_GRACE_SECONDS must be a whole number from 0 to 300'],
  ['EXECUTOR', 'kubernetes', 'EXECUTOR must be one of process, docker'],
  ['EXECUTOR', 'process,docker', 'EXECUTOR must be one of process, docker'],
  ['JOB_MEMORY', '1m', 'JOB_MEMORY must be a number of bytes, such as 512m or 2g, and at least'],
  ['JOB_MEMORY', 'much', 'JOB_MEMORY must be a number of bytes'],
  ['JOB_CPUS', '0', 'JOB_CPUS must be a number above 0'],
  ['JOB_CPUS', '1,5', 'JOB_CPUS must be a number above 0'],
  ['JOB_USER', 'ci', 'JOB_USER must be numbers of a user and a group'],
  ['JOB_NETWORK_ALLOW', 'a b', 'JOB_NETWORK_ALLOW must be addresses, networks or host names'],
  ...['9464', '127.0.0.1', '127.0.0.1:65536', '::1:9464', 'a b:1', 'http://a:1', '[::1]'].map(
    (value) => [
      'METRICS_ADDRESS',
      value,
      'METRICS_ADDRESS must be an address and a port, such as 127.0.0.1:9464',
    ],
  ),
])('%s=%s is refused', (variable, value, problem) => {
  expect(() => readConfig({ ...least, [variable]: value })).toThrow(problem)
})

test.each([
  ['JOB_DISK', '10g', { jobDisk: 10_737_418_240 }],
  ['IMAGE_DAYS', '30', { imageDays: 30 }],
  ['JOB_MEMORY', '512m', { jobMemory: 536_870_912 }],
  ['JOB_MEMORY', '1.5 GiB', { jobMemory: 1_610_612_736 }],
  ['JOB_MEMORY', '268435456', { jobMemory: 268_435_456 }],
  ['JOB_CPUS', '1.5', { jobCpus: 1.5 }],
  ['JOB_USER', '1000', { jobUser: { uid: 1000, gid: 1000 } }],
  ['JOB_USER', '1000:50', { jobUser: { uid: 1000, gid: 50 } }],
  ['JOB_NETWORK_ALLOW', '10.0.0.1, db.lan', { jobNetworkAllow: ['10.0.0.1', 'db.lan'] }],
  ['EXECUTOR', 'docker', { executor: 'docker' }],
  ['METRICS_ADDRESS', '0.0.0.0:9464', { metricsAddress: { host: '0.0.0.0', port: 9464 } }],
  ['METRICS_ADDRESS', '[::1]:9464', { metricsAddress: { host: '::1', port: 9464 } }],
  ['METRICS_ADDRESS', 'metrics.lan:80', { metricsAddress: { host: 'metrics.lan', port: 80 } }],
])('%s=%s is read', (variable, value, read) => {
  expect(readConfig({ ...least, [variable]: value })).toMatchObject(read)
})

test.each([
  'https://key:hunter2@minio.example.org',
  'https://hunter2@minio.example.org',
  'https://minio.example.org?token=hunter2',
  'https://minio.example.org/#hunter2',
])('a store address with credentials is refused: %s', (address) => {
  const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
  const env = { ...least, ...keys, OBJECT_STORE_URL: 's3://logs', AWS_ENDPOINT_URL: address }
  const bucket = address.replace(/^https/, 's3')
  expect(refusalOf(env)?.problems).toEqual([
    'AWS_ENDPOINT_URL must have no credentials, query or fragment',
  ])
  const given = { ...env, OBJECT_STORE_URL: bucket, AWS_ENDPOINT_URL: 'https://minio.example.org' }
  expect(refusalOf(given)?.problems).toEqual([
    'OBJECT_STORE_URL must have no credentials, query or fragment',
  ])
})

test('all problems are reported at the same time, without the values of settings', () => {
  const env = { ...least, PORT: 'x', MASTER_KEY: 'hunter2', ROLE: 'cook' }
  const error = refusalOf(env)
  expect(error?.problems.map((problem) => problem.split(' ')[0])).toEqual([
    'PORT',
    'ROLE',
    'MASTER_KEY',
  ])
  expect(error?.message).not.toContain('hunter2')
})

test('a database URL can name the folder of a socket', () => {
  const databaseUrl = 'postgres://service@/ci?host=/run/postgres'
  expect(readConfig({ ...least, DATABASE_URL: databaseUrl })).toMatchObject({ databaseUrl })
})

test('a key is 32 bytes, as hex digits or base64', () => {
  const key = Buffer.alloc(32, 9)
  expect(readKeys(key.toString('hex'))).toEqual([key])
  expect(readKeys(key.toString('base64'))).toEqual([key])
  expect(readKeys('09'.repeat(31))).toBeUndefined()
})

test('keys are separated by commas or line breaks, and each must be valid', () => {
  const [one, other] = [Buffer.alloc(32, 9), Buffer.alloc(32, 8)]
  expect(readKeys(`${one.toString('hex')}, ${other.toString('base64')}`)).toEqual([one, other])
  expect(readKeys(`${one.toString('hex')}\n${other.toString('hex')}\n`)).toEqual([one, other])
  expect(readKeys(`${one.toString('hex')},short`)).toBeUndefined()
  expect(readKeys(',')).toBeUndefined()
})

test('docs/settings.md is up to date (npm run docs)', () => {
  const page = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8')
  expect(page).toContain(settingsTable())
})
