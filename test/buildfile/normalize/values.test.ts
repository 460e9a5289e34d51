import { describe, expect, test } from 'vitest'
import { read } from '../reading.ts'

describe('a list instead of a single value', () => {
  test.each([
    [
      'language: [Java]',
      { language: 'java' },
      [
        'info language downcase {"value":"Java"} :0',
        'warn language unexpected_seq {"value":"java"} :0',
      ],
    ],
    [
      'language: [[ruby]]',
      { language: ['ruby'] },
      [
        'warn language unexpected_seq {"value":"ruby"} :0',
        'warn language unexpected_seq {"value":["ruby"]} :0',
        'error language invalid_type {"expected":"str","actual":"seq","value":["ruby"]} :0',
      ],
    ],
    [
      'sudo: [true]',
      { sudo: true },
      [
        'warn sudo unexpected_seq {"value":true} :0',
        'warn deprecated_key {"key":"sudo","info":"has no effect any more"} :0',
      ],
    ],
    [
      'if: [branch = a, branch = b]',
      { if: 'branch = a' },
      ['warn if unexpected_seq {"value":"branch = a"} :0'],
    ],
    [
      'git: [{depht: 1}, {quiet: true}]',
      { git: { depht: 1 } },
      [
        'warn git find_key {"original":"depht","key":"depth"} :0',
        'warn git unexpected_seq {"value":{"depht":1}} :0',
        'warn git unknown_key {"key":"depht","value":1} :0',
      ],
    ],
  ])('is replaced by its first entry: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('a list that cannot be converted', () => {
  test.each([
    ['language: []', { language: [] }, []],
    [
      'git: [{foo: 1}]',
      { git: [{ foo: 1 }] },
      ['error git invalid_type {"expected":"map","actual":"seq","value":[{"foo":1}]} :0'],
    ],
    [
      'git: [3]',
      { git: [3] },
      ['error git invalid_type {"expected":"map","actual":"seq","value":[3]} :0'],
    ],
  ])('is kept: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('a single value instead of a list', () => {
  test.each([
    ['script: make', { script: ['make'] }, []],
    ['script: ~', { script: [] }, []],
    ['stages: {name: a}', { stages: [{ name: 'a' }] }, []],
    ['script: [[a, b], c]', { script: ['a', 'b', 'c'] }, []],
    ['script: [[[a]], [[b]]]', { script: ['a', 'b'] }, []],
    ['script: [a, ~, {}, [], 3, 010]', { script: ['a', '3', '8'] }, []],
    [
      'rvm: {a: b}',
      { rvm: [{ a: 'b' }] },
      ['error rvm invalid_type {"expected":"str","actual":"map","value":{"a":"b"}} :0'],
    ],
  ])('becomes the only entry of a list: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('a scalar of another type', () => {
  test.each([
    ['rvm: [3, true, .inf]', { rvm: ['3', 'true', 'Infinity'] }, []],
    [
      "git: {depth: '50', submodules_depth: '1.5'}",
      { git: { depth: 50, submodules_depth: 1.5 } },
      [],
    ],
    [
      'git: {depth: 1.2.3, submodules_depth: x1}',
      { git: { depth: 1.2, submodules_depth: 'x1' } },
      ['error git.submodules_depth invalid_type {"expected":"num","actual":"str","value":"x1"} :0'],
    ],
    [
      'sudo: "\'Enabled\'"',
      { sudo: true },
      ['warn deprecated_key {"key":"sudo","info":"has no effect any more"} :0'],
    ],
    [
      'sudo: tru',
      { sudo: true },
      ['warn deprecated_key {"key":"sudo","info":"has no effect any more"} :0'],
    ],
    [
      'sudo: 1',
      { sudo: 1 },
      [
        'error sudo invalid_type {"expected":"bool","actual":"num","value":1} :0',
        'warn deprecated_key {"key":"sudo","info":"has no effect any more"} :0',
      ],
    ],
    ["git: {autocrlf: 'yes'}", { git: { autocrlf: true } }, []],
    [
      'git: {depth: none}',
      { git: { depth: 'none' } },
      ['error git.depth invalid_type {"expected":"num","actual":"str","value":"none"} :0'],
    ],
  ])('is converted: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('an unknown value that resembles a known value', () => {
  test.each([
    ['language: PYTHON', { language: 'python' }, ['info language downcase {"value":"PYTHON"} :0']],
    [
      'language: js',
      { language: 'node_js' },
      ['info language alias_value {"alias":"js","value":"node_js"} :0'],
    ],
    [
      'language: nodejs',
      { language: 'node_js' },
      ['warn language find_value {"original":"nodejs","value":"node_js"} :0'],
    ],
    [
      'language: |\n  ruby\n  rvm\nos: linux',
      { language: 'ruby', os: ['linux'] },
      ['warn language clean_value {"original":"ruby\\nrvm\\n","value":"ruby"} :0'],
    ],
    [
      'language: \'python - "3.10"\'',
      { language: 'python' },
      ['warn language clean_value {"original":"python - \\"3.10\\"","value":"python"} :0'],
    ],
    [
      'deploy: {provider: codedeploy, revision_type: S3}',
      { deploy: [{ provider: 'codedeploy', revision_type: 's3' }] },
      ['warn deploy.revision_type clean_value {"original":"S3","value":"s3"} :0'],
    ],
    [
      'services: [MySQL, postgres, "docker, mysql"]',
      { services: ['mysql', 'postgresql', 'docker'] },
      [
        'info services downcase {"value":"MySQL"} :0',
        'info services alias_value {"alias":"postgres","value":"postgresql"} :0',
        'warn services clean_value {"original":"docker, mysql","value":"docker"} :0',
      ],
    ],
  ])('is corrected: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('an unknown value that resembles no known value', () => {
  test.each([
    [
      'services: [docker-compose, pgsql]',
      { services: ['docker-compose', 'pgsql'] },
      [
        'error services unknown_value {"value":"docker-compose"} :0',
        'error services unknown_value {"value":"pgsql"} :0',
      ],
    ],
    [
      'language: cobol',
      { language: 'cobol' },
      ['error language unknown_value {"value":"cobol"} :0'],
    ],
  ])('is kept: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})
