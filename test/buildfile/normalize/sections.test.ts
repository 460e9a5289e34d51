import { describe, expect, test } from 'vitest'
import { read } from '../reading.ts'

describe('a short form', () => {
  test.each([
    ['branches: main', { branches: { only: ['main'] } }, []],
    ['branches: [main, 3]', { branches: { only: ['main', '3'] } }, []],
    [
      'jobs: [{script: a}, {env: A=1}]',
      { jobs: { include: [{ script: ['a'] }, { env: [{ A: '1' }] }] } },
      [],
    ],
    [
      'jobs: {script: a, fast_finish: true}',
      { jobs: { include: [{ script: ['a'] }], fast_finish: true } },
      [],
    ],
    [
      'notifications: {recipients: a, slack: $S}',
      { notifications: { email: [{ recipients: ['a'] }], slack: [{ rooms: ['$S'] }] } },
      [],
    ],
    [
      'notifications: {slack: {secure: YWJj, on_success: never}}',
      { notifications: { slack: [{ rooms: [{ secure: 'YWJj' }], on_success: 'never' }] } },
      [],
    ],
    ['addons: {apt: true}', { addons: { apt: { packages: ['true'] } } }, []],
  ])('is read as the long form: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('a short form that matches no long form', () => {
  test.each([
    [
      'branches: {foo: x}',
      { branches: { foo: 'x' } },
      ['warn branches unknown_key {"key":"foo","value":"x"} :0'],
    ],
    [
      'jobs: foo',
      { jobs: 'foo' },
      ['error jobs invalid_type {"expected":"map","actual":"str","value":"foo"} :0'],
    ],
    [
      'notifications: {sqwiggle: a}',
      { notifications: { sqwiggle: 'a' } },
      ['warn notifications unknown_key {"key":"sqwiggle","value":"a"} :0'],
    ],
    [
      'addons: {coverity_scan: a/b}',
      { addons: { coverity_scan: 'a/b' } },
      [
        'error addons.coverity_scan invalid_type {"expected":"map","actual":"str","value":"a/b"} :0',
      ],
    ],
  ])('is kept: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('a section that can be turned off', () => {
  test.each([
    ['notifications: false', { notifications: { email: [{ enabled: false }] } }, []],
    [
      "notifications: {email: no, slack: {disabled: 'yes', enabled: true, rooms: $R}}",
      { notifications: { email: [{ enabled: false }], slack: [{ enabled: true, rooms: ['$R'] }] } },
      [],
    ],
    [
      'notifications: {irc: {disabled: off, channels: x}}',
      { notifications: { irc: [{ channels: ['x'], enabled: true }] } },
      [],
    ],
    [
      'addons: {sauce_connect: true, browserstack: true}',
      { addons: { sauce_connect: { enabled: true }, browserstack: true } },
      ['error addons.browserstack invalid_type {"expected":"map","actual":"bool","value":true} :0'],
    ],
  ])('records whether it is on: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('a shared key of notifications', () => {
  test.each([
    [
      'notifications: {on_success: never, email: a, irc: {channels: x, on_success: always}}',
      {
        notifications: {
          email: [{ recipients: ['a'], on_success: 'never' }],
          irc: [{ channels: ['x'], on_success: 'always' }],
        },
      },
      [],
    ],
    [
      'notifications: {on_success: never, email: [a, {recipients: b}]}',
      {
        notifications: {
          email: [{ recipients: ['a'] }, { recipients: ['b'], on_success: 'never' }],
        },
      },
      [],
    ],
    ['notifications: {on_failure: always}', {}, []],
  ])('moves into each section without that key: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('cache', () => {
  test.each([
    ['cache: bundler', { cache: { bundler: true } }, []],
    [
      'cache: bundel',
      { cache: { bundler: true } },
      ['info cache find_value {"original":"bundel","value":"bundler"} :0'],
    ],
    [
      'cache: {bundle: true}',
      { cache: { bundler: true } },
      ['warn cache find_key {"original":"bundle","key":"bundler"} :0'],
    ],
    ['cache: ~/.m2', { cache: { directories: ['~/.m2'] } }, []],
    [
      'cache: [pip, ~/.m2, {directories: [a, b], timeout: 30}, {directories: [b, c], npm: false}]',
      { cache: { pip: true, directories: ['~/.m2', 'a', 'b', 'c'], timeout: 30, npm: true } },
      [],
    ],
    ['cache: [{directories: a}, {directories: b}]', { cache: { directories: ['b'] } }, []],
    ['cache: [edge, 3]', { cache: { directories: ['edge', '3'] } }, []],
    ['cache: false', { cache: false }, []],
    ['cache: true', { cache: true }, ['error cache unknown_value {"value":true} :0']],
  ])('accepts names, paths, maps and lists: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('a deployment', () => {
  test.each([
    ['deploy: s3', { deploy: [{ provider: 's3' }] }, []],
    [
      'deploy: {provider: Heroku}',
      { deploy: [{ provider: 'heroku', strategy: 'api' }] },
      [
        'warn deploy.provider find_value {"original":"Heroku","value":"heroku"} :0',
        'info deploy default {"key":"strategy","default":"api","provider":"heroku"} :0',
      ],
    ],
    [
      'deploy: {provider: [npm]}',
      { deploy: [{ provider: 'npm' }] },
      ['warn deploy.provider unexpected_seq {"value":"npm"} :0'],
    ],
    [
      'deploy: {provider: npm, on: main}',
      { deploy: [{ provider: 'npm', on: { branch: ['main'] } }] },
      [],
    ],
    [
      'deploy: {provider: heroku, app: {main: a, dev: [b]}}',
      { deploy: [{ provider: 'heroku', strategy: 'api', app: { main: 'a', dev: 'b' } }] },
      [
        'warn deploy.app.dev unexpected_seq {"value":"b"} :0',
        'info deploy default {"key":"strategy","default":"api","provider":"heroku"} :0',
      ],
    ],
    [
      'deploy: {provider: teapot, bucket: x}',
      { deploy: [{ provider: 'teapot', bucket: 'x' }] },
      ['error deploy.provider unknown_value {"value":"teapot"} :0'],
    ],
    [
      'deploy: {provider: teapot, foo: 1}',
      { deploy: [{ provider: 'teapot', foo: 1 }] },
      [
        'error deploy.provider unknown_value {"value":"teapot"} :0',
        'warn deploy unknown_key {"key":"foo","value":1} :0',
      ],
    ],
    [
      'deploy: {bucket: x}',
      { deploy: [{ bucket: 'x' }] },
      ['error deploy required {"key":"provider"} :0'],
    ],
    [
      'deploy: [false, ~]',
      { deploy: [false] },
      ['error deploy invalid_type {"expected":"map","actual":"bool","value":false} :0'],
    ],
  ])('is read by its provider: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})
