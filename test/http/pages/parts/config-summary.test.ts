import { describe, expect, test } from 'vitest'
import { configSummary } from '../../../../src/http/pages/parts/config-summary.ts'

describe('the summary of a config', () => {
  const secret = { secure: 'c2VjcmV0' }

  test.each([
    [{}, {}],
    [
      { language: 'ruby', os: 'linux', dist: 'jammy', script: 'make' },
      { language: 'ruby', os: 'linux', dist: 'jammy' },
    ],
    [{ os: ['linux', 'osx'] }, { os: 'linux, osx' }],
    [{ env: 'A=1 B=2' }, { env: 'A=1 B=2' }],
    [
      { env: ['A=1', { B: 2 }, secret, { TOKEN: secret }] },
      { env: 'A=1 B=2 [secure] TOKEN=[secure]' },
    ],
    [
      { language: secret, os: [secret], dist: { name: secret } },
      { language: '[secure]', os: '[secure]' },
    ],
    [{ deploy: { api_key: secret }, source_key: 'key' }, {}],
    [{ language: null, env: [] }, {}],
  ])('of %j is %j', (config, expected) => {
    const entries = configSummary(config, false).map(({ name, value }) => [name, value])
    expect(Object.fromEntries(entries)).toEqual(expected)
  })

  test('says nothing of secure values in builds of forks', () => {
    expect(configSummary({ env: ['A=1', secret] }, true)).toEqual([{ name: 'env', value: 'A=1' }])
  })
})
