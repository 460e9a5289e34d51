import { describe, expect, test } from 'vitest'
import { bodyOf, runJob } from './program.ts'

/** The output of a script with these lines, without the output of our own code. */
async function printed(...script: string[]): Promise<string[]> {
  const answer = await runJob({ script })
  return bodyOf(answer)
    .split('\n')
    .filter((line) => !/^(?:\$ |The command |Done\. |$)/.test(line))
}

describe('effects of one line on the next', () => {
  test.each([
    ['the folder', ['cd /usr', 'pwd'], ['/usr']],
    ['variables', ['a=1', 'echo $a'], ['1']],
    ['exported variables', ['export A=1', 'bash -c \'echo "$A"\''], ['1']],
    ['arrays', ['declare -a list=(x y)', 'echo "${list[1]}"'], ['y']],
    ['maps', ['declare -A map', 'map[x]=7', 'echo "${map[x]}"'], ['7']],
    ['functions', ['greet() { echo "hello $1"; }', 'greet you'], ['hello you']],
    ['shell options', ['shopt -s nullglob', 'echo /nowhere/* end'], ['end']],
    ['set -f', ['set -f', 'echo /*'], ['/*']],
    ['set -a', ['set -a', 'B=2', 'bash -c \'echo "$B"\''], ['2']],
    ['aliases', ['shopt -s expand_aliases', 'alias greet="echo hi"', 'greet'], ['hi']],
    ['IFS', ['IFS=:', 'x=a:b', 'set -- $x; echo $#'], ['2']],
    ['the umask', ['umask 077', 'umask'], ['0077']],
    ['traps', ['trap "echo caught" USR1', 'kill -USR1 $$'], ['caught']],
    ['background processes', ['(exit 3) &', 'wait $!; echo $?'], ['3']],
    ['file descriptors', ['exec 5>&1', 'echo five >&5'], ['five']],
  ])('%s', async (_, script, expected) => {
    expect(await printed(...script)).toEqual(expected)
  })
})

test.each([
  ['a here-document', 'cat <<EOF\nfirst $((1 + 1))\n  $HOME\nEOF', /^first 2\n {2}\/\S+$/],
  ['a loop', 'for i in 1 2; do\n  echo "no $i"\ndone', /^no 1\nno 2$/],
  ['a condition', 'if true; then\n  echo yes\nfi', /^yes$/],
  ['a comment', '# nothing\necho x # end', /^x$/],
  ['a continued line', 'echo a \\\n  b', /^a b$/],
  ['quotes of both kinds', `echo "it's" 'say "x"'`, /^it's say "x"$/],
  ['a backslash at the end', 'echo x\\', /^x/],
])('%s over several lines counts as one line of the build file', async (_, line, expected) => {
  const { text } = await runJob({ script: line })
  const [, after = ''] = text.split(`$ ${line}\n`)
  expect(after.split('\nThe command ')[0]).toMatch(expected)
})

test('messages about a line of several lines show the first one', async () => {
  const { text } = await runJob({ script: 'for i in 1 2; do\n  false\ndone' })
  expect(text).toContain('The command "for i in 1 2; do ..." exited with 1.')
})

test('user functions named like commands do not affect our program', async () => {
  const names = ['echo', 'printf', 'exit', 'trap', 'set', 'test', 'kill', 'read', 'export', 'cd']
  const script = [...names.map((name) => `${name}() { :; }`), 'false', 'true']
  const answer = await runJob({ script, after_failure: 'builtin echo sad' })
  expect(answer.code).toBe(1)
  expect(answer.text).toContain('$ builtin echo sad\nsad\n\nDone. The exit code of the job is 1.\n')
})

test('a broken PATH does not affect our program', async () => {
  const answer = await runJob({ script: ['PATH=/nowhere', 'ls', 'service_retry true'] })
  expect(answer.code).toBe(1)
  expect(answer.text.match(/not found|No such file/g)).toHaveLength(1)
})

test('our own commands are not traced', async () => {
  const answer = await runJob({ script: ['set -x', 'true', 'set -v', 'false'] })
  expect(bodyOf(answer)).toBe(`$ set -x
The command "set -x" exited with 0.
$ true
++ true
The command "true" exited with 0.
$ set -v
++ set -v
The command "set -v" exited with 0.
$ false
false
++ false
The command "false" exited with 1.

Done. The exit code of the job is 1.
`)
})

test('set -u does not affect our program', async () => {
  const answer = await runJob({ script: ['set -u', 'service_retry true', 'service_fold start x'] })
  expect(answer).toMatchObject({ code: 0, text: expect.not.stringContaining('unbound') })
})

test('the standard input of commands is empty', async () => {
  expect(await printed('read -r line; echo "<$line>"', 'cat')).toEqual(['<>'])
})

test("a user's exit trap runs at the end with the exit code", async () => {
  const script = ['trap \'echo "over: $?"\' EXIT', 'false']
  const { text, code } = await runJob({ script, after_script: 'echo after' })
  expect(code).toBe(1)
  expect(text).toMatch(/after\nover: 1\n\nDone\. The exit code of the job is 1\.\n$/)
})

test('a removed exit trap is not run', async () => {
  const { text } = await runJob({ script: ['trap "echo over" EXIT', 'trap - EXIT'] })
  expect(text).not.toMatch(/^over$/m)
})

test.each([
  ['a child', 'sleep 1000 &'],
  ['a grandchild', '(sleep 1000 &)'],
  ['a disowned child', 'sleep 1000 & disown'],
  ['a child that ignores signals', '(trap "" TERM INT HUP; sleep 1000) &'],
])('%s left running is killed, so that the output ends', async (_, line) => {
  expect(await runJob({ script: line })).toMatchObject({ code: 0 })
})

test('a failing install leaves no process running either', async () => {
  const answer = await runJob({ before_install: 'sleep 1000 &', install: 'false' })
  expect(answer).toMatchObject({ code: 2 })
})
