import { expect, test } from 'vitest'
import type { ScriptInput } from '../../src/script/input.ts'
import { bodyOf, runJob, scriptInput, sha, withHome } from './program.ts'

async function variables(
  given: Partial<ScriptInput> = {},
  config: Record<string, unknown> = {},
  home?: string,
): Promise<Record<string, string>> {
  const script = 'command env -0'
  const { raw } = await runJob({ ...config, script }, home === undefined ? {} : { home }, given)
  const printed = raw.slice(raw.indexOf(`$ ${script}\n`) + script.length + 3)
  return Object.fromEntries(
    printed
      .split('\0')
      .slice(0, -1)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

function ours(all: Record<string, string>): Record<string, string> {
  const names = Object.keys(all).filter((name) => /^(?:SERVICE|CI$|CONTINUOUS)/.test(name))
  const detected = ['SERVICE_CPU_ARCH', 'SERVICE_DIST', 'SERVICE_INIT', 'SERVICE_OS_NAME']
  return Object.fromEntries(
    names.filter((name) => !detected.includes(name)).map((name) => [name, all[name] ?? '']),
  )
}

const ofPush = {
  CI: 'true',
  CONTINUOUS_INTEGRATION: 'true',
  SERVICE: 'true',
  SERVICE_ALLOW_FAILURE: 'false',
  SERVICE_APP_HOST: 'ci.example',
  SERVICE_BRANCH: 'main',
  SERVICE_BUILD_ID: '4',
  SERVICE_BUILD_NUMBER: '7',
  SERVICE_BUILD_STAGE_NAME: '',
  SERVICE_BUILD_WEB_URL: 'http://ci.example/octavia/hello/builds/4',
  SERVICE_COMMIT: sha,
  SERVICE_COMMIT_MESSAGE: 'Say hello',
  SERVICE_COMMIT_RANGE: '',
  SERVICE_COMPILER: '',
  SERVICE_EVENT_TYPE: 'push',
  SERVICE_JOB_ID: '5',
  SERVICE_JOB_NAME: '',
  SERVICE_JOB_NUMBER: '7.1',
  SERVICE_JOB_RESTARTED: 'false',
  SERVICE_JOB_RESTARTED_BY: '',
  SERVICE_JOB_WEB_URL: 'http://ci.example/octavia/hello/jobs/5',
  SERVICE_LANGUAGE: 'generic',
  SERVICE_OSX_IMAGE: '',
  SERVICE_PULL_REQUEST: 'false',
  SERVICE_PULL_REQUEST_BRANCH: '',
  SERVICE_PULL_REQUEST_IS_DRAFT: '',
  SERVICE_PULL_REQUEST_SHA: '',
  SERVICE_PULL_REQUEST_SLUG: '',
  SERVICE_REPO_PRIVATE: 'false',
  SERVICE_REPO_SLUG: 'octavia/hello',
  SERVICE_ROOT: '/',
  SERVICE_SECURE_ENV_VARS: 'false',
  SERVICE_SUDO: 'false',
  SERVICE_TAG: '',
  SERVICE_TEST_RESULT: '',
  SERVICE_TMPDIR: '/tmp',
}

test('a job of a push has the documented variables', async () => {
  await withHome(async (home) => {
    expect(ours(await variables({}, {}, home))).toEqual({
      ...ofPush,
      SERVICE_BUILD_DIR: `${home}/build/octavia/hello`,
      SERVICE_HOME: home,
    })
  })
})

test('a job of a pull request has the variables of its head', async () => {
  const { job, commit } = scriptInput()
  const {
    SERVICE_BUILD_DIR: _,
    SERVICE_HOME: __,
    ...all
  } = ours(
    await variables(
      {
        job: {
          ...job,
          name: 'unit',
          stage_name: 'Test',
          allow_failure: true,
          restarted: true,
          restarted_by: 'octavia',
        },
        commit: { ...commit, ref: 'refs/pull/9/merge', range: 'abc...def' },
        pull_request: {
          number: 9,
          head_branch: 'feature',
          head_sha: 'f'.repeat(40),
          head_slug: 'hacker/hello',
          draft: true,
        },
      },
      { language: ['c++', 'ruby'], compiler: 'true', rvm: ['3.2', '3.3'], sudo: 'required' },
    ),
  )
  expect(all).toEqual({
    ...ofPush,
    SERVICE_ALLOW_FAILURE: 'true',
    SERVICE_BUILD_STAGE_NAME: 'Test',
    SERVICE_COMMIT_RANGE: 'abc...def',
    SERVICE_COMPILER: 'true',
    SERVICE_JOB_NAME: 'unit',
    SERVICE_JOB_RESTARTED: 'true',
    SERVICE_JOB_RESTARTED_BY: 'octavia',
    SERVICE_LANGUAGE: 'cpp',
    SERVICE_PULL_REQUEST: '9',
    SERVICE_PULL_REQUEST_BRANCH: 'feature',
    SERVICE_PULL_REQUEST_IS_DRAFT: 'true',
    SERVICE_PULL_REQUEST_SHA: 'f'.repeat(40),
    SERVICE_PULL_REQUEST_SLUG: 'hacker/hello',
    SERVICE_RUBY_VERSION: '3.2',
    SERVICE_SUDO: 'true',
  })
})

test('the variables of a job for a tag name the tag', async () => {
  const { commit } = scriptInput()
  const all = await variables({ commit: { ...commit, branch: 'v1', tag_name: 'v1' } })
  expect(all).toMatchObject({ SERVICE_BRANCH: 'v1', SERVICE_TAG: 'v1' })
})

test('a long commit message is cut between two characters', async () => {
  const { commit } = scriptInput()
  const all = await variables({ commit: { ...commit, message: `x${'ü'.repeat(20_000)}` } })
  expect(all.SERVICE_COMMIT_MESSAGE).toBe(`x${'ü'.repeat(16_383)}`)
})

test.each([
  ['a line', 'A=1 B="x y"', { A: '1', B: 'x y' }],
  ['lines', ['A=1', 'B=2'], { A: '1', B: '2' }],
  ['a map', { A: 1, B: true, C: null, D: 'x y' }, { A: '1', B: 'true', C: '', D: 'x y' }],
  ['mappings and lines', [{ A: 1 }, 'B=2', { C: 3 }], { A: '1', B: '2', C: '3' }],
  ['a value that bash expands', ['A=1', 'B=$A-$(echo x)'], { A: '1', B: '1-x' }],
  ['a mapping whose value bash expands', { A: 1, B: '$A $A' }, { A: '1', B: '1 1' }],
  ['the later of two values', ['A=1', 'A=2'], { A: '2' }],
  ['a built-in variable', 'SERVICE_BRANCH=other', { SERVICE_BRANCH: 'other' }],
  ['a value with several lines', { A: 'x\ny' }, { A: 'x\ny' }],
  ['a path', 'PATH=$HOME/bin:$PATH', { PATH: expect.stringMatching(/^\/.+\/bin:\/usr/) }],
])('env can be %s', async (_, env, expected) => {
  expect(await variables({}, { env })).toMatchObject(expected)
})

test('variables are shown as they are set', async () => {
  const answer = await runJob({ env: ['A=1 B="x y"', { C: 'x y' }], script: 'skip' })
  expect(bodyOf(answer)).toBe(`Setting environment variables from .service.yml
$ export A=1
$ export B="x y"
$ export C="x y"

Done. The exit code of the job is 0.
`)
})

const wrongKey =
  'no key that this job has decrypts it. Encrypt it for this repository, with build-service encrypt.'

test('encrypted variables and invalid entries are skipped with a note', async () => {
  const env = ['A=1', { secure: 'abc' }, { B: { secure: 'def' }, 'C D': 1, E: { F: 1 } }]
  const answer = await runJob({ env, script: 'skip' })
  expect(bodyOf(answer)).toBe(`The encrypted variable at env, entry 2 is left out: ${wrongKey}
The variable B (env, entry 3) is left out: ${wrongKey}
"C D" (env, entry 3) cannot be the name of a variable and is left out.
The variable E (env, entry 3) has no plain value and is left out.
Setting environment variables from .service.yml
$ export A=1

Done. The exit code of the job is 0.
`)
})

test('a variable that bash cannot set does not stop the job', async () => {
  const answer = await runJob({ env: ['A=(', '1B=2', 'C=3'], script: 'test "$C" = 3' })
  expect(answer.code).toBe(0)
  expect(answer.text.match(/Bash cannot set all of this/g)).toHaveLength(2)
})
