import { describe, expect, test } from 'vitest'
import type { JobConfig } from '../../../../src/domain/job/job.ts'
import { configSummary } from '../../../../src/http/pages/parts/config-list.tsx'

function summary(config: JobConfig, differing?: string[], fromFork = false) {
  const origin = { kind: 'matrix' as const, line: null, ...(differing ? { differing } : {}) }
  const entries = configSummary({ config, origin }, fromFork)
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]))
}

describe('the summary of a config', () => {
  const secret = { secure: 'c2VjcmV0' }

  test.each<[JobConfig, Record<string, string>]>([
    [{}, {}],
    [
      { language: 'ruby', os: 'linux', dist: 'jammy', script: 'make' },
      { language: 'ruby', os: 'linux' },
    ],
    [{ os: ['linux', 'osx'] }, { os: 'linux, osx' }],
    [{ env: 'A=1 B=2' }, { env: 'A=1 B=2' }],
    [
      { env: ['A=1', { B: 2 }, secret, { TOKEN: secret }] },
      { env: 'A=1 B=2 [secure] TOKEN=[secure]' },
    ],
    [
      { language: secret, os: [secret] },
      { language: '[secure]', os: '[secure]' },
    ],
    [{ deploy: { api_key: secret }, source_key: 'key' }, {}],
    [{ language: null, env: [] }, {}],
  ])('of %j is %j', (config, expected) => {
    expect(summary(config)).toEqual(expected)
  })

  test('has every key in which the jobs of the build differ', () => {
    const config = {
      language: 'ruby',
      rvm: '3.2',
      sudo: false,
      git: { depth: 3 },
      script: ['make', 'make test'],
      services: null,
      deploy: [{ provider: 'heroku', api_key: 'sesame' }],
    }
    const differing = ['rvm', 'sudo', 'git', 'script', 'services', 'deploy', 'language']
    expect(summary(config, differing)).toEqual({
      language: 'ruby',
      rvm: '3.2',
      sudo: 'false',
      git: '{"depth":3}',
      script: 'make, make test',
      deploy: 'heroku',
    })
    expect(summary({ script: ['x'.repeat(300)] }, ['script'])).toEqual({
      script: `${'x'.repeat(199)}…`,
    })
  })

  test('hides secure values in builds of forks', () => {
    expect(summary({ env: ['A=1', secret] }, [], true)).toEqual({ env: 'A=1' })
  })
})
