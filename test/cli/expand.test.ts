import { expect, describe, test } from 'vitest'
import { installedLinter } from '../support/linter.ts'

const linter = installedLinter()

const file = `language: node_js
node_js: [18, 22]
env:
  global: [LEVEL=2, {secure: "abc="}]
  jobs: [TASK=unit, TASK=e2e]
branches:
  only: [main]
stages:
  - test
  - name: deploy
    if: branch = main AND type = push
jobs:
  exclude:
    - node_js: 18
      env: TASK=e2e
  allow_failures:
    - node_js: 22
  include:
    - stage: deploy
      name: Publish
      env: TASK=publish
    - stage: test
      name: Nightly
      if: type = cron
notifications:
  email:
    if: branch = dev
    recipients: a@example.com
`

const expand = (...options: string[]) => linter.run(['expand', ...options, '-'], { input: file })

describe('expand', () => {
  test('reports that nothing is built if the condition of the whole file is false', async () => {
    const input = 'os: linux\nscript: make\nif: os = linux\n'
    const { stdout } = await linter.run(['expand', '--branch', 'main', '-'], { input })
    expect(stdout).toContain(
      'Nothing is built: the condition of the whole file, "os = linux", does not hold: os was ',
    )
  })

  test('shows the jobs, their origins, and the jobs that are left out', async () => {
    expect(await expand()).toEqual({
      code: 0,
      stdout: `<stdin>: 5 jobs, as if every condition held

Everywhere: language node_js, os linux, dist focal
env.global: LEVEL=2, [secure]

job  stage   name     node_js  env           may fail                         from
1    test             18       TASK=unit                                      matrix (line 5)
2    test    Nightly  18       TASK=unit                                      jobs.include 2 (line 22)
3    test             22       TASK=unit     jobs.allow_failures 1 (line 17)  matrix (line 5)
4    test             22       TASK=e2e      jobs.allow_failures 1 (line 17)  matrix (line 5)
5    deploy  Publish  18       TASK=publish                                   jobs.include 1 (line 19)

Left out:
node_js  env       from             why
18       TASK=e2e  matrix (line 5)  jobs.exclude 1 (line 14) fits it
`,
      stderr: '',
    })
  })

  test('evaluates conditions for an event, and shows the values they used', async () => {
    expect(await expand('--branch', 'topic')).toEqual({
      code: 0,
      stdout: `<stdin>: 3 jobs for an event of type push, with branch topic
Nothing is built: branches.only does not name "topic".
Note: a notification by email is left out, because its condition "branch = dev" does not hold.

Everywhere: language node_js, os linux, dist focal
env.global: LEVEL=2, [secure]

job  stage  node_js  env        may fail                         from
1    test   18       TASK=unit                                   matrix (line 5)
2    test   22       TASK=unit  jobs.allow_failures 1 (line 17)  matrix (line 5)
3    test   22       TASK=e2e   jobs.allow_failures 1 (line 17)  matrix (line 5)

Left out:
stage   name     node_js  env           from                      why
                 18       TASK=e2e      matrix (line 5)           jobs.exclude 1 (line 14) fits it
test    Nightly  18       TASK=unit     jobs.include 2 (line 22)  its condition type = cron (line 24) does not hold: type was "push"
deploy  Publish  18       TASK=publish  jobs.include 1 (line 19)  the condition of its stage "deploy" branch = main AND type = push (line 11) does not hold: branch was "topic", type was "push"
`,
      stderr: '',
    })
  })

  test.each([
    [['--tag', 'v1'], 'push, with branch v1, tag v1'],
    [['--event', 'cron', '--branch', 'main'], 'cron, with branch main'],
    [
      ['--event=pull_request', '--branch=main', '--fork', '--head-repo=a/b', '--sender=me'],
      'pull_request, with branch main, sender me, fork true, head_repo a/b',
    ],
  ])('%j is an event of type %s', async (options, told) => {
    const { stdout } = await expand(...options)
    expect(stdout.split('\n')[0]).toMatch(/^<stdin>: \d jobs for an event of type /)
    expect(stdout.split('\n')[0]?.split(' of type ')[1]).toBe(told)
  })

  test('accepts variables of the repository settings', async () => {
    const input = 'script: make\nif: env(MODE) = full\n'
    const jobs = async (...options: string[]) => {
      const { stdout } = await linter.run(['expand', ...options, '-'], { input })
      return stdout.split('\n')[0]
    }
    expect(await jobs('--env', 'MODE=full')).toBe('<stdin>: 1 job for an event of type push')
    expect(await jobs('--env', 'MODE=half')).toBe('<stdin>: 0 jobs for an event of type push')
  })

  test('prints all results as JSON for programs', async () => {
    const input = 'language: ruby\nos: linux\ndist: focal\nimport: a.yml\nif: branch = main\n'
    const { stdout } = await linter.run(['expand', '--json', '--branch=dev', '-'], { input })
    expect(JSON.parse(stdout)).toEqual({
      file: '<stdin>',
      event: {
        type: 'push',
        repo: null,
        branch: 'dev',
        tag: null,
        sender: null,
        fork: false,
        commit_message: null,
        head_repo: null,
        head_branch: 'dev',
        env: [],
      },
      branches: { included: true, by: null, only: [] },
      unmet: 'the condition of the whole file, "branch = main", does not hold: branch was "dev"',
      imports: ['a.yml'],
      total: 0,
      complete: true,
      combinations: 1,
      columns: ['language', 'os', 'dist'],
      axes: [{ key: 'os', values: 1 }],
      global_env: [],
      stages: [],
      jobs: [],
      dropped: [
        {
          name: null,
          stage: null,
          origin: { kind: 'default', line: null, cell: [{ key: 'os', number: 1, of: 1, line: 2 }] },
          why: {
            kind: 'condition',
            condition: 'branch = main',
            line: 5,
            saw: [{ text: 'branch', value: 'dev' }],
            error: null,
          },
          values: { language: 'ruby', os: 'linux', dist: 'focal' },
          env: [],
        },
      ],
      messages: [
        {
          level: 'info',
          key: ['jobs', 'include'],
          code: 'skip_job',
          args: { number: 1, condition: 'branch = main' },
        },
      ],
      fast_finish: false,
    })
  })

  test('reports that a build cannot have that many jobs', async () => {
    const many = (count: number) => `[${Array.from({ length: count }, (_, index) => index).join()}]`
    const input = `rvm: ${many(15)}\ngemfile: ${many(15)}\n`
    const { code, stdout } = await linter.run(['expand', '-'], { input })
    const lines = stdout.split('\n')
    expect({
      code,
      head: lines.slice(0, 2),
      jobs: lines.filter((line) => /^\d/.test(line)).length,
    }).toEqual({
      code: 0,
      head: [
        '<stdin>: 225 jobs, as if every condition held',
        'Nothing is built: a build may have 200 jobs. These are the first ones.',
      ],
      jobs: 200,
    })
  })

  test('escapes control characters of the file', async () => {
    const input = 'jobs:\n  include:\n    - name: "\\e[2J\\u202E"\n      env: "A=\\x07"\n'
    const { stdout } = await linter.run(['expand', '-'], { input })
    expect(stdout).toContain(String.raw`\x1b[2J\u202e`)
    // oxlint-disable-next-line no-control-regex
    expect(stdout.match(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/g)).toBeNull()
  })

  test.each([
    [
      'a: [',
      '<stdin>:1:5 The file ends in the middle of a value. Add what closes it, or remove it.',
    ],
    [
      '- a',
      '<stdin>:1:1 The root of the file must be a mapping of keys to values, but it is a list. Put the list under a key, or remove its dashes.',
    ],
  ])('reports why %j cannot be read', async (input, message) => {
    const expected = { code: 2, stdout: '', stderr: `build-service: ${message}\n` }
    expect(await linter.run(['expand', '-'], { input })).toEqual(expected)
  })

  test.each([
    [['a', 'b'], 'expand takes one file at a time'],
    [
      ['--event', 'tag', '-'],
      '--event tag is not known: choose one of push, pull_request, cron, api',
    ],
    [['--branch'], "Option '--branch <value>' argument missing (see --help)"],
  ])('refuses %j', async (args, message) => {
    const expected = { code: 2, stdout: '', stderr: `build-service: ${message}\n` }
    expect(await linter.run(['expand', ...args])).toEqual(expected)
  })
})
