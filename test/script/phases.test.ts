import { describe, expect, test } from 'vitest'
import { bodyOf, commandsIn, runJob } from './program.ts'

const every = {
  before_install: 'echo 1',
  install: 'echo 2',
  before_script: 'echo 3',
  script: 'echo 4',
  before_cache: 'echo 5',
  after_success: 'echo 6',
  after_failure: 'echo 7',
  after_script: 'echo 8',
}

const lines = (...numbers: number[]) => numbers.map((number) => `echo ${number}`)

test.each([
  ['passes', {}, lines(1, 2, 3, 4, 5, 6, 8)],
  ['fails', { script: 'false' }, [...lines(1, 2, 3), 'false', ...lines(5, 7, 8)]],
  ['has no result', { script: [] }, lines(1, 2, 3, 5, 7, 8)],
  ['skips its script', { script: 'skip' }, lines(1, 2, 3, 5, 6, 8)],
  ['skips its install', { install: 'skip' }, lines(1, 3, 4, 5, 6, 8)],
  ['stops in before_install', { before_install: 'false' }, ['false']],
  ['stops in install', { install: ['false', 'true'] }, ['echo 1', 'false']],
  ['stops in before_script', { before_script: 'false' }, [...lines(1, 2), 'false']],
  ['ends in the script', { script: ['exit 1', 'true'] }, [...lines(1, 2, 3), 'exit 1']],
  ['ends in after_success', { after_success: 'exit 1' }, [...lines(1, 2, 3, 4, 5), 'exit 1']],
])('a job that %s runs the expected lines', async (_, config, commands) => {
  expect(commandsIn(await runJob({ ...every, ...config }))).toEqual(commands)
})

test('an asserted failure is explained', async () => {
  const answer = await runJob({ install: 'bash -c "exit 5"', script: 'true' })
  expect(bodyOf(answer)).toBe(`$ bash -c "exit 5"

The command "bash -c "exit 5"" failed and exited with 5 during install.
The job has been stopped: no later phase is run.

Done. The exit code of the job is 2.
`)
})

test('an unexpected end is explained', async () => {
  const answer = await runJob({ script: ['false', 'exit 0'] })
  expect(bodyOf(answer)).toBe(`$ false
The command "false" exited with 1.
$ exit 0
The command "exit 0" ended the shell during script.
`)
})

test('a failure that does not count is reported as such', async () => {
  const answer = await runJob({ script: 'true', after_script: 'false' })
  expect(answer.text).toContain('The command "false" exited with 1, which does not count.')
})

test('each result of the script is printed, and the last line has the exit code', async () => {
  const answer = await runJob({ script: ['true', '(exit 3)'], after_failure: 'echo sad' })
  expect(bodyOf(answer)).toBe(`$ true
The command "true" exited with 0.
$ (exit 3)
The command "(exit 3)" exited with 3.
$ echo sad
sad

Done. The exit code of the job is 1.
`)
})

const show = (phase: string) => `echo "${phase}: <$SERVICE_TEST_RESULT>"`

test('the test result is available from the script phase on', async () => {
  const { text } = await runJob({
    before_script: show('before'),
    script: ['true', show('passing'), 'false', show('failing'), 'true'],
    after_script: show('after'),
  })
  const shown = text.split('\n').filter((line) => /^\w+: </.test(line))
  expect(shown).toEqual(['before: <>', 'passing: <0>', 'failing: <1>', 'after: <1>'])
})

test('a job without a script passes, with a note that nothing is tested', async () => {
  const answer = await runJob({})
  expect(bodyOf(answer)).toBe(`.service.yml has no script, so nothing is tested.

Done. The exit code of the job is 0.
`)
  expect(answer.raw).toContain('␛[33;1m.service.yml has no script')
})

test('a config without a valid program is reported in red', async () => {
  const answer = await runJob({ script: [{ echo: 'x' }] })
  expect(answer.text).toBe(`No script can be generated from .service.yml for this job.
An entry of script is a map and not a command. Often a colon followed by a space makes it one: put the whole command in quotes.
`)
  expect(answer.raw).toContain('␛[31;1mNo script can be generated')
})

const pair = (name: string) => [`start ${name}`, `end ${name}`]

describe('markers', () => {
  const fold = /service_fold:(start|end):([\w.-]+)\r␛\[0K/g

  async function foldsOf(config: Record<string, unknown>) {
    const { raw } = await runJob(config)
    return [...raw.matchAll(fold)].map(([, edge, name]) => `${edge} ${name}`)
  }

  test('folds are numbered if a phase has several lines, and the script has no folds', async () => {
    const folds = await foldsOf({ ...every, before_install: ['true', 'true'] })
    expect(folds).toEqual(
      [
        ...['system_info', 'before_install.1', 'before_install.2', 'install', 'before_script'],
        ...['before_cache', 'after_success', 'after_script'],
      ].flatMap(pair),
    )
  })

  test.each(['exit 3', 'false'])(
    'the fold of a line that ends the job is closed: %s',
    async (line) => {
      const folds = await foldsOf({ install: line })
      expect(folds).toEqual(['system_info', 'install'].flatMap(pair))
    },
  )

  test('default commands are folded like their phase', async () => {
    const config = { env: 'PATH="$HOME/bin:$PATH"', language: 'go', script: 'skip' }
    // The program may be missing on the machine of the test.
    const files = { '~/bin/go': '#!/bin/sh\necho go version go1.22.1 linux/amd64\n' }
    const { raw } = await runJob(config, { files })
    expect(raw).toContain('service_fold:start:install\r')
  })

  test('every line has timers, in nanoseconds that add up', async () => {
    const { raw } = await runJob({ install: 'true', script: ['true', 'service_time_start'] })
    const starts = [...raw.matchAll(/service_time:start:([\da-f]{8})\r␛\[0K/g)]
    const ends = [
      ...raw.matchAll(
        /service_time:end:([\da-f]{8}):start=(\d{19}),finish=(\d{19}),duration=(\d+),event=(\w+)\r␛\[0K/g,
      ),
    ]
    // The last line starts a timer of its own and never ends it.
    expect(starts.slice(0, 3).map(([, id]) => id)).toEqual(ends.map(([, id]) => id))
    expect(ends.map(([, , , , , event]) => event)).toEqual(['install', 'script', 'script'])
    for (const [, , start, finish, duration] of ends) {
      expect(BigInt(finish ?? 0) - BigInt(start ?? 0)).toBe(BigInt(duration ?? -1))
    }
  })
})

test.each([
  ['addons.apt', { addons: { apt: { packages: ['curl'] } } }],
  ['cache', { cache: 'npm' }],
  ['deploy', { deploy: { provider: 'pages' } }],
  ['services', { services: ['redis'] }],
])('the key %s is reported as having no effect', async (key, config) => {
  const { raw } = await runJob(config)
  expect(raw).toContain(`␛[33;1mThe key "${key}" has no effect`)
})

test.each([
  ['cache', false],
  ['services', []],
  ['addons', null],
])('the key %s is not reported if it requests nothing: %j', async (key, value) => {
  const { text } = await runJob({ [key]: value })
  expect(text).not.toContain('no effect')
})

test('a profile in the home directory is read', async () => {
  const files = { '~/.bash_profile': 'export GREETING=hello' }
  const { text } = await runJob({ script: 'echo "<$GREETING>"' }, { files })
  expect(text).toContain('<hello>')
})
