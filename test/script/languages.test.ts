import { expect, test } from 'vitest'
import { commandsIn, runJob } from './program.ts'

const programs = [
  ...['node', 'npm', 'python', 'pip', 'ruby', 'bundle', 'go', 'java', 'javac', 'gcc', 'g++'],
  ...['clang', 'clang++'],
]

const stub = '#!/bin/sh\n'

/** A home directory whose programs all succeed, and a repository with these files. */
function standIns(...names: string[]) {
  const repository = Object.fromEntries(names.map((name) => [name, stub]))
  const bin = Object.fromEntries(programs.map((name) => [`~/bin/${name}`, stub]))
  return { files: { ...bin, ...repository } }
}

const onPath = { env: 'PATH="$HOME/bin:$PATH"' }
test.each([
  ['node_js', ['node --version', 'npm --version']],
  ['go', ['go version']],
  ['java', ['java -version', 'javac -version']],
  ['c', ['gcc --version']],
  ['ruby', ['ruby --version', 'bundle --version']],
])('language %s prints its versions', async (language, commands) => {
  const answer = await runJob({ ...onPath, language, install: 'skip', script: 'skip' }, standIns())
  expect(answer.code).toBe(0)
  expect(commandsIn(answer).filter((line) => !line.startsWith('export '))).toEqual(commands)
})

test.each([
  ['C++', 'cpp'],
  ['golang', 'go'],
  ['javascript', 'node_js'],
  ['jvm', 'java'],
  ['java8', 'java'],
  ['bash', 'generic'],
  ['minimal', 'generic'],
  ['shell', 'generic'],
  [['Python', 'ruby'], 'python'],
  [null, 'generic'],
  ['constructor', 'generic'],
])('%j is language %s', async (language, name) => {
  const { text } = await runJob(
    { ...onPath, language, install: 'skip', script: 'echo "<$SERVICE_LANGUAGE>"' },
    standIns(),
  )
  expect(text).toContain(`\nLanguage: ${name}\n`)
  expect(text).toContain(`<${name}>`)
})

test.each([
  ['smalltalk', 'smalltalkci', 0],
  ['smalltalk', undefined, 2],
  ['swift', undefined, 2],
  ['matlab', undefined, 2],
])(
  'language %s has no defaults here: with script %j it ends with %i',
  async (language, script, code) => {
    const answer = await runJob({ language, ...(script ? { script: `: ${script}` } : {}) })
    expect(answer.code).toBe(code)
    expect(answer.raw).toMatch(/␛\[33;1mLanguage "[\w-]+" has no default commands in this service/)
  },
)

test('a blank script counts as missing', async () => {
  const { code, text } = await runJob({ language: 'matlab', script: ' ' })
  expect(code).toBe(2)
  expect(text).toContain('no default commands for matlab')
})

test('an unknown language is treated as generic, with a note in red', async () => {
  const answer = await runJob({ language: 'klingon', script: 'echo "it runs"' })
  expect(answer.code).toBe(0)
  expect(answer.text).toContain('\nit runs\n')
  expect(answer.raw).toContain('␛[31;1mThere is no language "klingon"')
})

test.each(['klingon', 'typescript'])(
  'a job of the unknown language %s without a script is errored',
  async (language) => {
    const answer = await runJob({ language })
    expect(answer.code).toBe(2)
    expect(answer.text).toContain(
      `There is no language "${language}", so the job has no default commands: correct "language"`,
    )
  },
)

test.each([
  ['c', undefined, '<gcc> <>'],
  ['cpp', undefined, '<gcc> <g++>'],
  ['c', 'clang', '<clang> <>'],
  ['cpp', 'gcc-13', '<gcc-13> <g++-13>'],
  ['cpp', 'clang', '<clang> <clang++>'],
  ['cpp', 'clang++', '<clang> <clang++>'],
  ['cpp', "x'y", "<x'y> <x'y>"],
])('language %s with the compiler %j sets CC and CXX: %s', async (language, compiler, shown) => {
  const { text } = await runJob(
    { ...onPath, language, compiler, script: 'echo "<$CC> <$CXX>"' },
    {
      files: { ...standIns().files, '~/bin/gcc-13': stub, '~/bin/g++-13': stub, "~/bin/x'y": stub },
    },
  )
  expect(text).toContain(`\n${shown}\n`)
})

test.each(['shell', 'generic', 'perl'])(
  'a job of language %s has folders for packages of any language in its home',
  async (language) => {
    const print = 'builtin echo "$GEM_HOME|$PIP_BREAK_SYSTEM_PACKAGES|$PATH|$HOME"'
    const { code, text } = await runJob({ language, install: 'skip', script: print })
    expect(code).toBe(0)
    const [gems = '', pip, path = '', home = ''] =
      text
        .split('\n')
        .find((line) => /^\/\S*\|/.test(line))
        ?.split('|') ?? []
    expect({ gems, pip }).toEqual({ gems: `${home}/.gem`, pip: '1' })
    expect(path.split(':')).toEqual(expect.arrayContaining([`${gems}/bin`, `${home}/.local/bin`]))
  },
)
