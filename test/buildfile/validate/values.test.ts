import { describe, expect, test } from 'vitest'
import { read } from '../reading.ts'

describe('a secret in plain text', () => {
  test.each([
    [
      'addons: {code_climate: plain}',
      { addons: { code_climate: { repo_token: 'plain' } } },
      ['alert addons.code_climate.repo_token secure {"type":"str"}'],
    ],
    ['addons: {code_climate: $TOKEN}', { addons: { code_climate: { repo_token: '$TOKEN' } } }, []],
    [
      "addons: {code_climate: '$A:$B'}",
      { addons: { code_climate: { repo_token: '$A:$B' } } },
      ['alert addons.code_climate.repo_token secure {"type":"str"}'],
    ],
    [
      'notifications: {email: {recipients: a}}',
      { notifications: { email: [{ recipients: ['a'] }] } },
      [],
    ],
    [
      'vault: {api_url: a, token: plain}',
      { vault: { api_url: 'a', token: 'plain' } },
      [
        'alert vault.token secure {"type":"str"} :0',
        'error vault.token secure {"message":"the token must be given as a secure value"} :0',
      ],
    ],
  ])('is reported, unless it refers to a variable: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('an encrypted value', () => {
  test.each([
    [
      "addons: {code_climate: {secure: 'YW Jj'}}",
      { addons: { code_climate: { repo_token: { secure: 'YW Jj' } } } },
      [],
    ],
    [
      'addons: {code_climate: {repo_token: {secure: YWJ}}}',
      { addons: { code_climate: { repo_token: { secure: 'YWJ' } } } },
      ['warn addons.code_climate.repo_token.secure invalid_secure {"value":{"secure":"YWJ"}} :0'],
    ],
    [
      'addons: {code_climate: {repo_token: {secure: YWK=}}}',
      { addons: { code_climate: { repo_token: { secure: 'YWK=' } } } },
      ['warn addons.code_climate.repo_token.secure invalid_secure {"value":{"secure":"YWK="}} :0'],
    ],
    [
      'notifications: {email: {recipients: {secure: abc}}}',
      { notifications: { email: [{ recipients: [{ secure: 'abc' }] }] } },
      [],
    ],
    [
      'env: {global: [{secure: [a]}]}',
      { env: { global: [] } },
      ['warn env.global.secure empty {"key":"env.global.secure"} :0'],
    ],
    [
      'script: {secure: YWJj}',
      { script: [{ secure: 'YWJj' }] },
      [
        'error script.secure invalid_type {"expected":"str","actual":"secure","value":{"secure":"YWJj"}} :0',
      ],
    ],
  ])('must be base64: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('the format of a string', () => {
  test.each([
    ["version: '>= 1.2'", { version: '>= 1.2' }, []],
    [
      'version: 1',
      { version: '1' },
      [
        'error version invalid_format {"format":"^(~>|>|>=|=|<=|<) (\\\\d+(?:\\\\.\\\\d+)?(?:\\\\.\\\\d+)?)$","value":"1"} :0',
      ],
    ],
    [
      "import: '%{commit_message}/%{nope}.yml'",
      { import: [{ source: '%{commit_message}/%{nope}.yml' }] },
      ['warn import.source unknown_var {"var":"nope"}'],
    ],
    [
      "notifications: {slack: {rooms: $R, template: '%{foo} %{branch} %{%{bar} %{'}}",
      { notifications: { slack: [{ rooms: ['$R'], template: ['%{foo} %{branch} %{%{bar} %{'] }] } },
      [
        'warn notifications.slack.template unknown_var {"var":"foo"} :0',
        'warn notifications.slack.template unknown_var {"var":"bar"} :0',
      ],
    ],
  ])('is checked for its key: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('a condition', () => {
  test.each([
    ['if: branch = a', { if: 'branch = a' }, []],
    [
      'if: a =',
      { if: 'a =' },
      ['error if invalid_condition {"condition":"a =","message":null} :0'],
    ],
    ['if: 3', { if: '3' }, []],
    ["if: ''", { if: '' }, ['error if invalid_condition {"condition":"","message":null} :0']],
    ['if: env(A) IS', { if: 'env(A) IS' }, []],
    [
      'conditions: v0\nif: branch = a and b',
      { conditions: 'v0', if: 'branch = a and b' },
      ['error if invalid_condition {"condition":"branch = a and b","message":null} :1'],
    ],
    [
      'jobs: {include: [{if: $A}, {if: {a: b}}]}',
      { jobs: { include: [{ if: '$A' }, { if: { a: 'b' } }] } },
      [
        'error jobs.include.if invalid_condition {"condition":"$A","message":"unquoted words must not start with a dollar sign"} :0',
        'error jobs.include.if invalid_type {"expected":"str","actual":"map","value":{"a":"b"}} :0',
      ],
    ],
  ])('is checked for errors: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('an experimental or deprecated key or value', () => {
  test.each([
    ['stack: onion', { stack: 'onion' }, ['info stack edge :0']],
    ['dist: server-2016', { dist: 'server-2016' }, ['info dist edge :0']],
    [
      'language: __onion__',
      { language: '__onion__' },
      [
        'warn language deprecated_value {"value":"__onion__","info":"experimental language name"} :0',
      ],
    ],
    [
      'sudo: false',
      { sudo: false },
      ['warn deprecated_key {"key":"sudo","info":"has no effect any more"} :0'],
    ],
    [
      'addons: {sonarcloud: {branches: a}, jwt: {secure: YWJj}}',
      { addons: { sonarcloud: { branches: ['a'] }, jwt: [{ secure: 'YWJj' }] } },
      [
        'warn addons.sonarcloud deprecated_key {"key":"branches","info":"choosing branches here is no longer supported"} :0',
        'warn addons deprecated_key {"key":"jwt","info":"this addon was discontinued in April 2018"} :0',
      ],
    ],
    [
      'anchored: &a x\nscript: *a',
      { anchored: 'x', script: ['x'] },
      [
        'warn deprecated_key {"key":"anchored","info":"define anchors on keys starting with \\"_\\" or \\".\\""} :0',
      ],
    ],
    ['sudo: ~', {}, []],
  ])('is reported: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})
