import { expect, test } from 'vitest'
import { bodyOf, runJob } from './program.ts'

const countTo = (most: number) =>
  `attempt() { n=$((n + 1)); echo "try $n"; [[ $n -ge ${most} ]] || return 4; }`

test.each([
  ['at once', 1, 0, 1],
  ['at the second try', 2, 0, 2],
  ['at the third try', 3, 0, 3],
  ['never', 9, 1, 3],
])('service_retry of a command that succeeds %s', async (_, most, code, tries) => {
  const answer = await runJob({ before_script: countTo(most), script: 'service_retry attempt' })
  expect(answer.code).toBe(code)
  expect(answer.text.match(/^try \d$/gm)).toHaveLength(tries)
})

test('service_retry returns the last exit code, even under set -e', async () => {
  const script = ['set -e', 'service_retry attempt || echo "gave $?"']
  const answer = await runJob({ before_script: countTo(9), script })
  expect(answer.text).toContain('gave 4')
})

test('service_wait prints the output at the end and returns the exit code', async () => {
  const answer = await runJob({ script: 'service_wait 5 bash -c "echo working; exit 6"' })
  expect(bodyOf(answer)).toBe(`$ service_wait 5 bash -c "echo working; exit 6"
Output of "bash -c echo working; exit 6":
working
The command "service_wait 5 bash -c "echo working; exit 6"" exited with 6.

Done. The exit code of the job is 1.
`)
})

test('service_wait prints that it waits, and kills a command that takes too long', async () => {
  const script = ['__service_minute=0.01', 'echo begun; service_wait 2 sleep 1000']
  const { text } = await runJob({ script })
  expect(text).toContain(`Still running after 1 of 2 minutes: sleep 1000
Still running after 2 of 2 minutes: sleep 1000
The command "sleep 1000" did not end within 2 minutes and is killed.
Output of "sleep 1000":
The command "echo begun; service_wait 2 sleep 1000" exited with 137.
`)
})

test('service_wait keeps the output in a file that no other account can read', async () => {
  const script = [
    'export SERVICE_TMPDIR="$HOME/waits"; mkdir "$SERVICE_TMPDIR"',
    `service_wait 1 bash -c 'find "$SERVICE_TMPDIR" -type f -printf "<%M>\\n"'`,
  ]
  expect(bodyOf(await runJob({ script }))).toMatch(/\n<-rw------->\n/)
})

test('service_wait accepts functions, and can be called without minutes', async () => {
  const answer = await runJob({
    script: ['greet() { echo "hello $1"; }', 'service_wait greet you'],
  })
  expect(answer).toMatchObject({ code: 0, text: expect.stringContaining('\nhello you\n') })
})

test.each(['set -e', 'set -eu', 'set -euo pipefail', 'set -x'])(
  'the helpers work under %s',
  async (options) => {
    const script = [
      options,
      'service_retry true',
      'service_wait true',
      'service_fold start a; service_time_start; service_time_finish; service_fold end a',
      'service_cmd "echo cmd" --echo --timing --retry --assert',
    ]
    expect(await runJob({ script })).toMatchObject({ code: 0 })
  },
)

test('service_cmd prints the given text, and stops the job on request', async () => {
  const line = 'service_cmd "bash -c \'exit 3\'" --echo --display "the exit" --assert'
  const answer = await runJob({ script: [line, 'true'] })
  expect(answer.code).toBe(2)
  expect(answer.text).toContain('$ the exit\n')
  expect(answer.text).toContain('exited with 3 during script')
})

test('service_fold prints a marker', async () => {
  const { raw } = await runJob({ script: 'service_fold start tests; service_fold end tests' })
  const erase = '\r␛[0K'
  expect(raw).toContain(`service_fold:start:tests${erase}service_fold:end:tests${erase}`)
})
