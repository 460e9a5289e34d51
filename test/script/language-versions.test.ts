import { describe, expect, test } from 'vitest'
import { commandsIn, runJob } from './program.ts'

const printing = (text: string) => `#!/bin/sh\necho "${text}"\n`

/**
 * A machine with these versions of Node.js: the first on the path, the others installed with nvm.
 */
function machine(first: string, ...others: string[]) {
  const kept = others.map((version) => [`~/.nvm/versions/node/v${version}/bin/node`, version])
  const versions = [['~/bin/node', first], ...kept]
  const files = versions.map(([file = '', version]) => [file, printing(`v${version}`)])
  return { files: Object.fromEntries(files) as Record<string, string> }
}

const env = 'PATH="$HOME/bin"'
const job = { env, language: 'node_js', install: 'skip', script: 'node --version' }

describe('a version requested in a build file', () => {
  test.each([
    ['20', '20.20.2'],
    [20, '20.20.2'],
    ['v20.20', '20.20.2'],
    ['20.x', '20.20.2'],
    ['8', '8.17.0'],
    ['18', '18.20.1'],
    ['node', '21.7.3'],
    ['stable', '21.7.3'],
    ['lts/*', '20.20.2'],
    ['lts/hydrogen', '18.20.1'],
    [['18', '20'], '18.20.1'],
    [undefined, '20.20.2'],
  ])('%j is satisfied by %s', async (node_js, version) => {
    const there = machine('20.20.2', '8.17.0', '18.9.9', '18.20.1', '21.7.3')
    const { code, text } = await runJob({ ...job, node_js }, there)
    expect(text).toContain(
      `$ node --version\nv${version}\nThe command "node --version" exited with 0.`,
    )
    expect(code).toBe(0)
  })

  test.each([
    ['2', '20.20.2'],
    ['8', '18.20.1'],
    ['lts/nothing', '20.20.2'],
    ['iojs', '20.20.2'],
    ['>=14', '20.20.2'],
    ['$(touch ~/run)%s', '20.20.2'],
  ])(
    '%j is not satisfied by %s: the job is errored before its first line',
    async (node_js, version) => {
      const { code, text } = await runJob(
        { ...job, node_js, before_install: 'echo begun' },
        machine(version),
      )
      expect(code).toBe(2)
      expect(text).toContain(
        `\n.service.yml asks for "node_js: ${node_js}", and this machine has ${version}. Install it ` +
          'on the machine of the runner, in a folder of RUNNER_PATH that jobs can read, ask for an installed ' +
          'version, or let jobs run with an installed one (LANGUAGE_VERSIONS=present).\n',
      )
      expect(text).not.toContain('begun')
    },
  )

  test('is replaced with LANGUAGE_VERSIONS=present, as the log reports in yellow', async () => {
    const given = { versions: 'present' } as const
    const { code, raw } = await runJob({ ...job, node_js: '8' }, machine('20.20.2'), given)
    expect(code).toBe(0)
    expect(raw).toContain(
      '␛[33;1m.service.yml asks for "node_js: 8", which jobs do not find on this machine: ' +
        'the job runs with 20.20.2.␛[0m\n',
    )
    expect(raw).toContain('service_found:20.20.2')
  })

  test.each([
    ['python', 'python', '3.11', 'python3.11', 'Python 3.11.4'],
    ['ruby', 'rvm', 'ruby-3.1', 'ruby3.1', 'ruby 3.1.7p261 (2025-03-26) [x86_64-linux-gnu]'],
    ['php', 'php', '8.2', 'php8.2', 'PHP 8.2.1 (cli) (built: Feb 1 2023)'],
    ['go', 'go', '1.19.x', 'go', 'go version go1.19.8 linux/amd64'],
    ['java', 'jdk', 'openjdk8', 'java', 'openjdk version 1.8.0_392'],
    ['scala', 'jdk', 'openjdk17', 'java', 'openjdk 17.0.9 2023-10-17'],
    ['perl', 'perl', '5.36', 'perl', 'This is perl 5, version 36, subversion 0 (v5.36.0) built'],
    ['elixir', 'elixir', '1.15', 'elixir', '1.15.7'],
    ['haskell', 'ghc', '9.0', 'ghc-9.0.2', '9.0.2'],
    ['julia', 'julia', '1.9', 'julia', 'julia version 1.9.3'],
    ['r', 'r', 'release', 'Rscript', 'Rscript (R) version 4.2.2 (2022-10-31)'],
    ['dart', 'dart', 'stable', 'dart', 'Dart SDK version: 3.1.0 (stable)'],
    ['crystal', 'crystal', '1.6', 'crystal', 'Crystal 1.6.0 (2023-01-01)'],
    ['erlang', 'otp_release', '25.2', 'erl', '25.2.3'],
    ['csharp', 'mono', '6.8', 'mono', 'Mono JIT compiler version 6.8.0.105'],
    ['csharp', 'dotnet', '7.0', 'dotnet', '7.0.102'],
    ['java', 'jdk', 'openjdk17', 'java', 'openjdk 17.0.9 2023-10-17'],
  ])('for %s is found (%s: %s in %s)', async (language, key, asked, program, version) => {
    const { code, text } = await runJob(
      { env, language, [key]: asked, install: 'skip', script: 'skip' },
      { files: { [`~/bin/${program}`]: printing(version), '~/bin/mix': printing('') } },
    )
    expect(text).not.toContain('asks for')
    expect(code).toBe(0)
  })
})

test.each([
  ['stable', '1.63.0', true],
  ['nightly', '1.75.0-nightly', true],
  ['nightly', '1.63.0', false],
  ['beta', '1.63.0', false],
  ['3.8-dev', '3.8.10', true],
  ['3.1', '3.11.2', false],
  ['openjdk11', '1.8.0', false],
  ['__proto__', '1', false],
  ['lts/constructor', '20.1.0', false],
])('%s is satisfied by version %s: %s', async (asked, version, isMet) => {
  const { code } = await runJob({ ...job, node_js: asked }, machine(version))
  expect(code).toBe(isMet ? 0 : 2)
})

describe('a version requested in a file of the repository', () => {
  const go = { '~/bin/go': printing('go version go1.22.3 linux/amd64') }

  test.each([
    ['node_js', { '.nvmrc': 'v18\n' }, '18.20.1'],
    ['node_js', { '.nvmrc': '# of the team\r\n\r\nlts/hydrogen\r\n' }, '18.20.1'],
    ['node_js', { '.node-version': '8.17.0' }, '8.17.0'],
    ['node_js', { '.tool-versions': 'ruby 3.2.1\nnodejs\t18.20.1 8.17.0\n' }, '18.20.1'],
    ['node_js', { '.nvmrc': '8', '.node-version': '18', '.tool-versions': 'node 20' }, '8.17.0'],
    ['node_js', { '.nvmrc': '\n', '.node-version': '18' }, '18.20.1'],
    ['node_js', { '.tool-versions': 'ruby 3.2.1\n' }, '20.20.2'],
  ])('is used for language %s with %j: %s', async (language, files, version) => {
    const there = machine('20.20.2', '8.17.0', '18.20.1')
    const { code, text } = await runJob(
      { ...job, language },
      { files: { ...there.files, ...files } },
    )
    expect(text).toContain(`$ node --version\nv${version}\nThe command`)
    expect(code).toBe(0)
  })

  test('is overridden by the build file', async () => {
    const { files } = machine('20.20.2', '18.20.1')
    const { text } = await runJob({ ...job, node_js: 20 }, { files: { ...files, '.nvmrc': '18' } })
    expect(text).toContain('$ node --version\nv20.20.2\nThe command')
  })

  test.each([
    ['node_js', '.nvmrc', '16', 'node', 'v20.20.2', '16', '20.20.2'],
    ['node_js', '.node-version', '16.1', 'node', 'v20.20.2', '16.1', '20.20.2'],
    ['ruby', '.ruby-version', 'ruby-2.7.1', 'ruby', 'ruby 3.1.2p20', 'ruby-2.7.1', '3.1.2'],
    ['python', '.python-version', '3.8\n3.9\n', 'python', 'Python 3.11.2', '3.8', '3.11.2'],
    ['go', 'go.mod', 'module x\n\ngo 1.25.0\n', 'go', 'go version go1.22.3', 'go 1.25.0', '1.22.3'],
    [
      ...['rust', 'rust-toolchain.toml', '[toolchain]\nchannel = "1.60.0"\n'],
      ...['rustc', 'rustc 1.63.0', '1.60.0', '1.63.0'],
    ],
    ['rust', 'rust-toolchain', '1.60.0\n', 'rustc', 'rustc 1.63.0', '1.60.0', '1.63.0'],
    ['ruby', '.tool-versions', 'ruby 2.7.1', 'ruby', 'ruby 3.1.2p20', 'ruby 2.7.1', '3.1.2'],
    ['erlang', '.tool-versions', 'erlang 26.1', 'erl', '25.2.3', 'erlang 26.1', '25.2.3'],
    [
      ...['java', '.tool-versions', 'java temurin-21.0.1+12'],
      ...['java', 'openjdk 17.0.9 2023-10-17', 'java temurin-21.0.1+12', '17.0.9'],
    ],
  ] as string[][])(
    'that is missing ends a job of language %s errored: %s with %j',
    async (...row) => {
      const [language = '', file = '', content = '', program = '', prints = '', asked, found] = row
      const files = { [file]: content, [`~/bin/${program}`]: printing(prints) }
      const besides = { '~/bin/cargo': printing('') }
      const config = { env, language, install: 'skip', script: 'builtin echo begun' }
      const { code, text } = await runJob(config, { files: { ...files, ...besides } })
      expect(text).toContain(`\n${file} asks for "${asked}", and this machine has ${found}`)
      expect(text).not.toContain('\nbegun')
      expect(code).toBe(2)
    },
  )

  test.each([
    ['go', { 'go.mod': 'module x\n\ngo 1.19\n', ...go }],
    ['go', { 'go.mod': 'module x\n\ngo 1.22.3 // at least\ntoolchain go1.30.0\n', ...go }],
    ['go', { 'go.mod': 'module x\n', ...go }],
    ['java', { '.tool-versions': 'java zulu-8.72.0', '~/bin/java': printing('java 1.8.0_392') }],
    [
      'elixir',
      {
        '.tool-versions': 'elixir 1.15.7-otp-26',
        '~/bin/elixir': printing('1.15.7'),
        '~/bin/mix': printing(''),
      },
    ],
    ['ruby', { '.ruby-version': '3.1.2@mine', '~/bin/ruby': printing('ruby 3.1.2p20') }],
    [
      'rust',
      {
        'rust-toolchain.toml': '[toolchain]\nchannel = "stable"',
        '~/bin/rustc': printing('rustc 1.63.0'),
        '~/bin/cargo': printing(''),
      },
    ],
  ])('is satisfied for language %s by %j', async (language, files) => {
    const { code, text } = await runJob(
      { env, language, install: 'skip', script: 'skip' },
      { files },
    )
    expect(text).not.toContain('asks for')
    expect(code).toBe(0)
  })

  test('is replaced with LANGUAGE_VERSIONS=present, as the log reports in yellow', async () => {
    const given = { versions: 'present' } as const
    const { files } = machine('20.20.2')
    const { code, raw } = await runJob(job, { files: { ...files, '.nvmrc': '16' } }, given)
    expect(code).toBe(0)
    expect(raw).toContain(
      '␛[33;1m.nvmrc asks for "16", which jobs do not find on this machine: the job runs with 20.20.2.␛[0m\n',
    )
  })

  test('is never executed, and is escaped on the terminal', async () => {
    const { files } = machine('20.20.2')
    const hostile = '$(touch${IFS}~/run)\u001B]0;x\u0007%s'
    const { raw, text } = await runJob(
      { ...job, after_script: 'ls ~' },
      { files: { ...files, '.nvmrc': hostile } },
      { versions: 'present' },
    )
    expect(text).toContain('.nvmrc asks for "$(touch${IFS}~/run)", which')
    expect(raw).not.toContain('␛]0')
    expect(text).not.toMatch(/^run$/m)
  })
})

describe('a missing tool', () => {
  const nowhere = { env: 'PATH=/nowhere' }

  test.each([
    ['rust', 'rustc'],
    ['php', 'php'],
    ['ruby', 'ruby'],
    ['cpp', 'g++'],
    ['elixir', 'elixir'],
    ['perl', 'perl'],
    ['erlang', 'erl'],
  ])('ends a job of language %s errored, before its first line', async (language, tool) => {
    const { code, text } = await runJob({ ...nowhere, language, script: 'echo begun' })
    expect(code).toBe(2)
    expect(text).toContain(
      `\nLanguage "${language}" needs ${tool}, which jobs do not find on this machine. Install it on the ` +
        'machine of the runner, in a folder of RUNNER_PATH that jobs can read, or change .service.yml.\n',
    )
    expect(text).not.toContain('begun')
  })

  test('that is needed to check a version is reported in yellow, and the job continues', async () => {
    const there = { files: { '~/bin/elixir': printing('1.15.7'), '~/bin/mix': printing('') } }
    const config = { env, language: 'elixir', otp_release: '22', script: 'builtin echo done' }
    const { code, raw } = await runJob(config, there)
    expect(code).toBe(0)
    expect(raw).toContain(
      '␛[33;1m.service.yml asks for "otp_release: 22", and this version of the service cannot check ' +
        'whether this machine has it: the job runs with the installed version.␛[0m',
    )
  })

  test('is ignored if the build file does not name the language', async () => {
    const config = { ...nowhere, language: 'ruby', script: 'builtin echo done' }
    const { code, text } = await runJob(config, {}, { assumed: ['language'] })
    expect(code).toBe(0)
    expect(text).not.toContain('ruby --version')
  })

  test('ends the job if the default commands of an unnamed language would run', async () => {
    const { code, text } = await runJob(
      { ...nowhere, language: 'ruby' },
      {},
      { assumed: ['language'] },
    )
    expect(code).toBe(2)
    expect(text).toContain('Language "ruby" needs ruby,')
  })

  test("ends the job if it is one of the language's commands", async () => {
    const { code, text } = await runJob(
      { env, language: 'php' },
      { files: { '~/bin/php': printing('PHP 8.2.1') } },
    )
    expect(code).toBe(2)
    expect(text).toContain('Language "php" needs phpunit, which jobs do not find on this machine.')
  })

  test("called in a user's line is reported by bash without the name of our program", async () => {
    const answer = await runJob({ script: ['no-such-program --now', 'echo "code $?"'] })
    expect(answer.text).toContain('\nno-such-program: command not found\n')
    expect(answer.text).toContain('exited with 127')
    expect(answer.text).not.toContain('program.sh')
    expect(commandsIn(answer)).toHaveLength(2)
  })
})

test.each([
  [
    { services: ['redis'] },
    /^The key "services" has no effect in this service: outside of containers, no services are started\.$/,
  ],
  [
    { workspaces: { use: 'a' } },
    /^The key "workspaces" has no effect in this service: no files are passed between jobs\.$/,
  ],
  [{ dist: 'trusty' }, /^The key "dist" has no effect in this service: /],
  [{ git: { strategy: 'tarball' } }, /^The key "git\.strategy" has no effect in this service: /],
  [{ composer_args: '--no-dev' }, /^The key "composer_args" has no effect in this service: /],
])('a version that %j requests without effect is reported in yellow', async (config, says) => {
  const { code, raw } = await runJob({ script: 'true', ...config })
  expect(code).toBe(0)
  const yellow = [...raw.matchAll(/␛\[33;1m([^␛]*)␛/g)].map(([, text]) => text)
  expect(yellow).toEqual([expect.stringMatching(says)])
})

test('assumed values are not reported', async () => {
  const { text } = await runJob(
    { script: 'true', os: 'osx', dist: 'trusty' },
    {},
    { assumed: ['os', 'dist'] },
  )
  expect(text).not.toContain('asks for')
})
