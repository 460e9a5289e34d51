import { describe, expect, test } from 'vitest'
import { runJob } from './program.ts'

const ok = { script: 'true' }

// Exit codes: 0 passed, 1 failed, everything else errored.
test.each([
  ['a script that passes', { script: 'true' }, 0],
  ['a script that fails', { script: 'false' }, 1],
  ['a script that fails with another code', { script: 'bash -c "exit 42"' }, 1],
  ['a failing line before a passing one', { script: ['false', 'true'] }, 1],
  ['a passing line before a failing one', { script: ['true', 'false'] }, 1],
  ['an unknown command', { script: 'no-such-command' }, 1],
  ['a syntax error in the script', { script: ['if true', 'true'] }, 1],
  ['an empty list of lines', { script: [] }, 86],
  ['a script that is skipped', { script: 'skip' }, 0],
  ['a script that is ignored, as a list', { script: ['ignore'] }, 0],
  ['no script at all', {}, 0],
  ['a script of null', { script: null }, 0],
  ['a script of empty text', { script: '' }, 0],
  ['the boolean true', { script: true }, 0],
  ['the boolean false', { script: false }, 1],
  ['lists within a list', { script: [['true', ['false']]] }, 1],

  ['a failing before_install', { ...ok, before_install: 'false' }, 2],
  ['a failing install', { ...ok, install: 'bash -c "exit 1"' }, 2],
  ['a failing before_script', { ...ok, before_script: ['true', 'false'] }, 2],
  ['a syntax error in install', { ...ok, install: 'fi' }, 2],
  ['an install that is skipped', { ...ok, language: 'node_js', install: 'skip' }, 0],
  ['a failing before_cache', { ...ok, before_cache: 'false' }, 0],
  ['a failing after_success', { ...ok, after_success: 'false' }, 0],
  ['a failing after_failure', { script: 'false', after_failure: 'false' }, 1],
  ['a failing after_script', { ...ok, after_script: 'false' }, 0],

  ['exit 0 in install', { script: 'false', install: 'exit 0' }, 0],
  ['exit 1 in install', { ...ok, install: 'exit 1' }, 1],
  ['exit 7 in before_install', { ...ok, before_install: 'exit 7' }, 7],
  ['exit 0 in the script', { script: ['exit 0', 'false'] }, 0],
  ['exit 1 in the script', { script: ['exit 1', 'true'] }, 1],
  ['exit 3 in the script', { script: 'exit 3' }, 3],
  ['exit 3 after a failing line', { script: ['false', 'exit 3'] }, 3],
  ['exit 0 after a failing line', { script: ['false', 'exit 0'] }, 1],
  ['exit 5 in before_cache', { ...ok, before_cache: 'exit 5' }, 0],
  ['exit 5 in after_success', { ...ok, after_success: 'exit 5' }, 0],
  ['exit 0 in after_failure', { script: 'false', after_failure: 'exit 0' }, 1],
  ['exit 5 in after_script', { ...ok, after_script: 'exit 5' }, 0],
  ['exit 0 in after_script of an empty script', { script: [], after_script: 'exit 0' }, 86],

  ['set -e and a failing line', { script: ['set -e', 'false', 'true'] }, 1],
  ['set -e and another code', { script: ['set -e', 'bash -c "exit 9"'] }, 9],
  ['set -e from an earlier phase', { before_install: 'set -e', script: 'false' }, 1],
  ['set -e within one line', { script: 'set -e; false; true' }, 1],
  ['set -e in after_script', { ...ok, after_script: ['set -e', 'false'] }, 0],
  ['set -e and a line that tests', { script: ['set -e', 'if false; then :; fi'] }, 0],
  ['set -e and a syntax error', { script: ['set -e', 'if true'] }, 2],
  ['set +e after set -e', { script: ['set -e', 'set +e', 'false', 'true'] }, 1],
  ['set -u and an unset variable', { script: ['set -u', 'echo "$nothing"', 'true'] }, 1],
  ['set -u and a set variable', { script: ['set -u', 'a=1', 'echo "$a"'] }, 0],
  ['pipefail', { script: ['set -o pipefail', 'false | true'] }, 1],
  ['no pipefail', { script: 'false | true' }, 0],
  ['a syntax error in POSIX mode', { script: ['set -o posix', 'if true', 'true'] }, 1],

  ['exec of a program', { script: ['false', "exec bash -c 'exit 4'"] }, 4],
  ['a killed shell', { script: 'kill -9 $$' }, 137],
  ['a terminated shell', { script: 'kill $$; sleep 5' }, 143],
  ['a trap for the end', { script: ['trap "echo bye" EXIT', 'false'] }, 1],
  ['a trap that ends with a code', { script: ['trap "exit 9" EXIT', 'true'] }, 0],
  ['a trap, and exit 6', { script: ['trap "true" EXIT', 'exit 6'] }, 6],
  ['a trap, and exit 0 after a failing line', { script: ['trap : EXIT', 'false', 'exit 0'] }, 1],

  ['service_terminate', { ...ok, install: 'false || service_terminate 3' }, 3],
  ['service_terminate without a code', { ...ok, install: 'service_terminate' }, 2],
  ['service_assert after a failure', { script: 'false; service_assert' }, 2],
  ['service_assert after a success', { script: 'true; service_assert' }, 0],
  ['service_result of a failure', { script: 'service_result 1' }, 1],

  ['a map as a line', { script: ['true', { echo: 'a colon' }] }, 2],
  ['an encrypted line', { ...ok, install: { secure: 'abc' } }, 2],
  ['an environment that cannot be read', { ...ok, env: 'A="open' }, 2],
])('%s: %j ends with %i', async (_, config, code) => {
  expect(await runJob(config)).toMatchObject({ code })
})

describe('under a terminal', () => {
  test.each([
    ['passes', { script: 'test -t 1' }, 0],
    ['fails', { script: 'false' }, 1],
    ['errors', { script: 'true', install: 'false' }, 2],
    ['is killed', { script: 'kill -9 $$' }, 137],
    ['reads nothing', { script: '! read -r line' }, 0],
    ['leaves a process behind', { script: 'sleep 1000 & (sleep 1000 &)' }, 0],
  ])('a job that %s: %j ends with %i', async (_, config, code) => {
    expect(await runJob(config, { terminal: true })).toMatchObject({ code })
  })
})

test('the folder of the build must be there to be entered', async () => {
  const answer = await runJob({ script: 'true' }, { files: { '~/build/octavia': 'a file' } })
  expect(answer).toMatchObject({ code: 86 })
  expect(answer.text).toContain('cannot be entered')
})
