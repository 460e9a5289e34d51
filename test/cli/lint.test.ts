import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readPathPattern } from '../../src/cli/linter/files/path-pattern.ts'
import { replaceFile } from '../../src/cli/linter/files/replace-file.ts'
import { mostBytes } from '../../src/lint/limits.ts'
import { subjects } from '../../src/lint/subjects.ts'
import { command, scratchFolder } from '../support/command.ts'
import { installedLinter } from '../support/linter.ts'

const linter = installedLinter()

/** A folder with these files. */
function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = scratchFolder()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
  return folder
}

const head = 'language: ruby\nos: linux\ndist: focal\n'
const clean = `${head}script: make\n`
const dirty = `${head}matrix:\n  include:\n    - name: all\nscirpt: make\n`
const mended = `${head}jobs:\n  include:\n    - name: all\nscript: make\n`
const advised = `${head}script: make || true\n`

describe('lint', () => {
  test('shows its findings line by line, and counts them', async () => {
    const cwd = folderWith({ 'a.yml': dirty, 'b.yml': clean })
    expect(await linter.run(['lint', 'a.yml', 'b.yml'], { cwd })).toEqual({
      code: 1,
      stdout: `a.yml:4:1 info "matrix" is another name for "jobs": write "jobs" [alias_key]
  4 | matrix:
    | ^^^^^^
    = fix: write "jobs"

a.yml:7:1 warn unknown key "scirpt", read as "script": correct the spelling [find_key]
  7 | scirpt: make
    | ^^^^^^
    = fix: write "script"

1 warning, 1 note in 2 files
More about a code: build-service explain find_key
`,
      stderr: '',
    })
  })

  test('repeats no secret, even if a sentence shows only the beginning of a long secret', async () => {
    const secret = `correcthorse;batterystaple-${'and-on-'.repeat(20)}`
    const cwd = folderWith({ '.service.yml': `script: make\nenv: DB_PASSWORD=${secret}\n` })
    const { stdout } = await linter.run(['lint'], { cwd })
    expect(stdout).toContain('put quotes around "[secure]"')
    expect(stdout).not.toContain('correcthorse')
  })

  test('reports that there are no findings', async () => {
    const cwd = folderWith({ '.service.yml': clean })
    const nothing = { code: 0, stdout: 'nothing found in 1 file\n', stderr: '' }
    expect(await linter.run(['lint'], { cwd })).toEqual(nothing)
  })

  test.each([
    ['notes and advice pass', [], advised, 0],
    ['defaults pass', [], 'script: make\n', 0],
    ['warnings fail', [], dirty, 1],
    ['advice fails with --strict', ['--strict'], advised, 1],
    ['defaults fail with --strict', ['--strict'], 'script: make\n', 1],
    ['a clean file passes with --strict', ['--strict'], clean, 0],
    ['advice can be left out', ['--strict', '--no-advice'], advised, 0],
    ['a code can be left out', ['--rule', 'find_key=off'], dirty, 0],
    ['others remain', ['--rule', 'alias_key=off'], dirty, 1],
    ['with one code only that code counts', ['--rule', 'alias_key'], dirty, 0],
    [
      'with several codes each of them counts',
      ['--rule', 'alias_key', '--rule=find_key'],
      dirty,
      1,
    ],
    ['an unreadable file fails whatever is selected', ['--rule', 'alias_key'], 'a: [', 2],
    ['a file that is not a mapping cannot be read', [], 'make\n', 2],
  ])('%s: %j', async (_title, options, input, code) => {
    expect(await linter.run(['lint', ...options, '-'], { input })).toMatchObject({ code })
  })

  test('reports a syntax error where it occurs', async () => {
    expect(await linter.run(['lint', '-'], { input: 'script: "make\n' })).toEqual({
      code: 2,
      stdout: `<stdin>:1:9 error syntax error: The quote (") that starts here is never closed. \
Add the closing ". A text that only contains this character needs quotes of the other kind around \
it. [parse_error]
  1 | script: "make
    |         ^

1 error in 1 file
More about a code: build-service explain parse_error
`,
      stderr: '',
    })
  })

  test('continues with other files when one is missing', async () => {
    const cwd = folderWith({ 'b.yml': clean })
    expect(await linter.run(['lint', 'a.yml', 'b.yml'], { cwd })).toEqual({
      code: 2,
      stdout: 'nothing found in 1 file\n',
      stderr: 'build-service: a.yml cannot be read: there is no such file\n',
    })
  })

  test('uses the nearest build file above, but not that of another repository', async () => {
    const root = folderWith({
      '.service.yml': dirty,
      'a/b/c': '',
      'inner/.git/HEAD': '',
      'inner/d': '',
    })
    const above = await linter.run(['lint'], { cwd: path.join(root, 'a/b') })
    expect(above).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^\.\.\/\.\.\/\.service\.yml:4:1 /),
    })
    const inner = path.join(root, 'inner')
    expect(await linter.run(['lint'], { cwd: inner })).toEqual({
      code: 2,
      stdout: '',
      stderr:
        `build-service: there is no .service.yml in ${inner} or above it in its repository: ` +
        'change to a folder that has one, or name the file\n',
    })
  })

  test('names a file that builds do not read, and suggests what to do with it', async () => {
    const cwd = folderWith({ '.git/HEAD': '', '.travis.yml': clean })
    expect(await linter.run(['lint'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is .travis.yml: rename it to .service.yml'),
    })
    expect(await linter.run(['lint', '.travis.yml'], { cwd })).toMatchObject({
      code: 0,
      stderr:
        'note: builds read .service.yml only: there is .travis.yml: rename it to .service.yml\n',
    })
  })

  test('fails for a file of another service, unless the settings allow it', async () => {
    const workflow =
      'on: push\njobs:\n  test:\n    runs-on: x\n    steps:\n      - run: make test\n'
    const cwd = folderWith({ 'ci.yml': workflow, 'a/.service.yml': workflow })
    const stdout = expect.stringMatching(
      /^ci\.yml:1:1 error this looks like a workflow of GitHub Actions/,
    )
    expect(await linter.run(['lint', 'ci.yml'], { cwd })).toMatchObject({ code: 1, stdout })
    expect(await linter.run(['lint', 'a'], { cwd })).toMatchObject({ code: 0 })
    expect(await linter.run(['lint', '-'], { input: workflow })).toMatchObject({ code: 0 })
    const settings = { '.service-lint.yml': 'rules: {file_of_another_service: warn}\n' }
    const kind = folderWith({ 'ci.yml': workflow, ...settings })
    expect(await linter.run(['lint', 'ci.yml'], { cwd: kind })).toMatchObject({ code: 0 })
  })

  test.each([
    ['.gitlab-ci.yml', 'GitLab CI'],
    ['.github/workflows/ci.yml', 'GitHub Actions'],
    ['appveyor.yml', 'AppVeyor'],
  ])('fails for %s whatever it contains', async (file, service) => {
    const cwd = folderWith({ '.git/HEAD': '', [file]: clean })
    expect(await linter.run(['lint', file], { cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        new RegExp(`^error: ${file}: builds read \\.service\\.yml only: add .*${service}`),
      ),
    })
  })

  test('accepts a fragment below the folder of another service', async () => {
    const cwd = folderWith({ '.git/HEAD': '', '.github/service/jobs.yml': clean })
    const file = '.github/service/jobs.yml'
    expect(await linter.run(['lint', file], { cwd })).toMatchObject({ code: 0, stderr: '' })
  })

  test('finds the build file in a folder', async () => {
    const cwd = folderWith({ 'a/.service.yml': clean })
    expect(await linter.run(['lint', 'a'], { cwd })).toMatchObject({ code: 0 })
  })

  test('escapes control characters of the file', async () => {
    const input = 'script: make\n"\\e[2Jx\u009B31m\u202E": 1\nfoo: "\\x07"\n'
    const { stdout } = await linter.run(['lint', '-'], { input })
    expect(stdout).toContain('unknown_key')
    // oxlint-disable-next-line no-control-regex
    expect(stdout.match(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/g)).toBeNull()
  })

  test('prints no colours into a pipe', async () => {
    const { stdout } = await linter.run(['lint', '-'], { input: dirty })
    expect(stdout).not.toContain('\u001B')
  })

  test.each([
    [
      '--rule',
      'nope',
      '--rule nope is not a finding code: codes are in brackets after each finding',
    ],
    ['--rule', 'sudo=on', '--rule sudo=on is not understood: write CODE or CODE=off'],
    [
      '--format',
      'xml',
      '--format xml is not known: choose one of text, json, sarif, github, checkstyle',
    ],
    ['--unsafe', '-', '--unsafe says which fixes to apply: add --fix'],
    ['--bogus', '-', "Unknown option '--bogus' (see --help)"],
  ])('explains the error in %s %s', async (option, value, message) => {
    const expected = { code: 2, stdout: '', stderr: `build-service: ${message}\n` }
    expect(await linter.run(['lint', option, value])).toEqual(expected)
  })
})

describe('the settings of a project', () => {
  const swallowed = `${head}script: npm test; npm run report\n`

  test('and a build file are not used in subfolders of a folder where anybody can write', async () => {
    const root = folderWith({
      '.service.yml': 'langauge: ruby',
      '.service-lint.yml': 'rules: {find_key: off}',
      'a/x': '',
      'b/.service.yml': 'langauge: ruby',
    })
    chmodSync(root, 0o1777)
    const none = await linter.run(['lint', '--fix'], { cwd: path.join(root, 'a') })
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no .service.yml in'),
    })
    const own = await linter.run(['lint'], { cwd: path.join(root, 'b') })
    expect(own.stdout).toContain('[find_key]')
  })

  test('apply to all files below them', async () => {
    const cwd = folderWith({
      '.service-lint.yml': 'rules:\n  failure_swallowed: off\n',
      'a/.service.yml': swallowed,
      'other/.git/HEAD': '',
      'other/.service.yml': swallowed,
    })
    const lint = (file: string) => linter.run(['lint', '--strict', file], { cwd })
    expect(await lint('a/.service.yml')).toMatchObject({ code: 0 })
    expect(await lint('other/.service.yml')).toMatchObject({ code: 1 })
  })

  test('decide by a level whether advice fails', async () => {
    const cwd = folderWith({
      '.service-lint.yml': 'rules:\n  failure_swallowed: error\n',
      '.service.yml': swallowed,
    })
    expect(await linter.run(['lint'], { cwd })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('.service.yml:4:9 error '),
    })
  })

  test('with an error are reported at its line, and change nothing', async () => {
    const cwd = folderWith({
      '.service-lint.yml': 'rules:\n  find_key: off\n  nope: off\n',
      '.service.yml': dirty,
    })
    const { code, stdout } = await linter.run(['lint'], { cwd })
    expect(code).toBe(2)
    expect(stdout).toContain('[find_key]')
    expect(stdout).toContain(
      '.service-lint.yml:3:3 error this settings file is ignored, because it contains an error',
    )
  })

  test('do not let --fix or --no-advice touch a line with a lint-ignore comment', async () => {
    const input = `${head}scirpt: make # lint-ignore find_key: ours\n`
    const run = (...options: string[]) => linter.run(['lint', ...options, '-'], { input })
    expect(await run('--fix')).toMatchObject({ code: 0, stdout: input })
    expect(await run('--no-advice')).toMatchObject({ code: 0, stdout: 'nothing found in 1 file\n' })
  })

  test('name the files to lint, and folders are searched', async () => {
    const cwd = folderWith({
      'a/.service-lint.yml': 'files: [.service.yml, "ci/*.yml", "**/deep.yml"]\n',
      'a/.service.yml': clean,
      'a/ci/one.yml': dirty,
      'a/ci/two/x.yml': dirty,
      'a/x/y/deep.yml': clean,
      'b/c/.service.yml': clean,
      'b/node_modules/d/.service.yml': dirty,
    })
    const own = await linter.run(['lint', '-f', 'checkstyle'], { cwd: path.join(cwd, 'a/ci') })
    expect([...own.stdout.matchAll(/file name="(.*?)"/g)].map(([, name]) => name)).toEqual([
      ...['../.service.yml', 'one.yml', '../x/y/deep.yml'],
    ])
    const found = await linter.run(['lint', 'b'], { cwd })
    expect(found).toMatchObject({ code: 0, stdout: 'nothing found in 1 file\n' })
    expect(await linter.run(['lint', 'b/node_modules/d'], { cwd })).toMatchObject({ code: 1 })
    expect(await linter.run(['lint', 'a/ci/two'], { cwd })).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'build-service: there is no .service.yml, ci/*.yml, **/deep.yml in a/ci/two or below it: ' +
        'name a folder or a file\n',
    })
  })
})

describe('output for people', () => {
  test.each([
    [['--color'], {}, true],
    [['--no-color'], { FORCE_COLOR: '1' }, false],
    [[], { FORCE_COLOR: '1' }, true],
    [[], { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    [['--color'], { NO_COLOR: '1' }, true],
    [[], { FORCE_COLOR: '0' }, false],
  ])('is coloured on request: %j %j', async (options, env, expected) => {
    const { stdout } = await linter.run(['lint', ...options, '-'], { input: dirty, env })
    expect(stdout.includes('\u001B')).toBe(expected)
  })

  test('contains only failures with --quiet', async () => {
    const quiet = (input: string) => linter.run(['lint', '--quiet', '-'], { input })
    expect(await quiet(advised)).toEqual({ code: 0, stdout: '', stderr: '' })
    const { stdout } = await quiet(dirty)
    expect(stdout).toContain('[find_key]')
    expect(stdout).not.toContain('[alias_key]')
  })

  test('shows identical findings once, with all locations', async () => {
    const input = `${head}jobs:\n  include:\n${'    - scirpt: make\n'.repeat(3)}`
    const { stdout } = await linter.run(['lint', '--no-advice', '-'], { input })
    expect(stdout.match(/\[find_key\]/g)).toHaveLength(1)
    expect(stdout).toContain('  the same 2 more times, at 7:7, 8:7\n')
    expect(stdout).toContain('3 warnings in 1 file\n')
  })

  test('names the command that explains a code', async () => {
    const { stdout } = await linter.run(['lint', '-'], { input: dirty })
    expect(stdout).toMatch(/^More about a code: build-service explain find_key$/m)
    const { code, stdout: told } = await linter.run(['explain', 'find_key'])
    expect(code).toBe(0)
    expect(told).toMatch(/^find_key \(warn; a message of the service, lint --fix corrects it\)\n\n/)
    expect(told).toContain('Example:')
    expect(await linter.run(['explain', 'nope'])).toMatchObject({ code: 2, stdout: '' })
  })

  test.each([
    [['HEAD'], 'there is no code HEAD: lint --list-rules shows them all; explain also'],
    [[], 'explain'],
  ])('explain %j says how to name a commit', async (names, start) => {
    const { code, stderr } = await linter.run(['explain', ...names])
    expect(code).toBe(2)
    expect(stderr).toMatch(new RegExp(`^build-service: ${start} takes `))
    expect(stderr).toContain('at least 7 digits of a commit (git rev-parse HEAD prints them)')
  })

  test.each(['lint', 'expand'])('%s says why a path cannot be seen', async (command) => {
    const folder = scratchFolder()
    symlinkSync('loop.yml', path.join(folder, 'loop.yml'))
    expect(await linter.run([command, 'loop.yml'], { cwd: folder })).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: 'build-service: loop.yml cannot be read: its links lead in a circle\n',
    })
  })

  test('reports a file from which nothing is built', async () => {
    const input = 'language: shell\nscript: make\nmatrix:\n  exclude:\n    - language: shell\n'
    const { code, stdout } = await linter.run(['lint', '--rule', 'no_jobs', '-'], { input })
    expect(code).toBe(1)
    expect(stdout).toContain(
      '<stdin>:4:3 error nothing is built, because "exclude" leaves out every job: ',
    )
  })

  test('hides the encrypted value below the name of a secret, and shows its key', async () => {
    const input = 'script: make\ndeploy:\n  provider: npm\n  api_token:\n    secure: "AAAA="\n'
    const { stdout } = await linter.run(['lint', '-'], { input })
    expect(stdout).toContain('  5 |     secure: *******\n')
    expect(stdout).not.toContain('AAAA')
  })

  test('--list-rules shows all codes', async () => {
    const { code, stdout } = await linter.run(['lint', '--list-rules'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^failure_swallowed +warn +advice +\w/m)
    expect(stdout.trimEnd().split('\n')).toHaveLength(subjects.length + 1)
  })
})

describe('output for programs:', () => {
  const finding = {
    level: 'warn',
    code: 'find_key',
    key: ['scirpt'],
    message: 'unknown key "scirpt", read as "script": correct the spelling',
    file: '<stdin>',
    line: 1,
    column: 1,
    end_line: 1,
    end_column: 7,
    docs: 'lint/find_key',
    fix: { title: 'write "script"', edits: [{ start: 0, end: 6, text: 'script' }], safe: true },
  }
  const input = `scirpt: make\n${head}`

  async function output(format: string): Promise<string> {
    const { code, stdout, stderr } = await linter.run(['lint', '--format', format, '-'], { input })
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    return stdout
  }

  test('json', async () => {
    expect(JSON.parse(await output('json'))).toEqual({ findings: [finding] })
  })

  test('github', async () => {
    expect(await output('github')).toBe(
      `::warning file=<stdin>,line=1,endLine=1,col=1,endColumn=6,title=find_key::${finding.message}\n`,
    )
  })

  test('formats for code hosts name files relative to the root of their repository', async () => {
    const folder = folderWith({ 'sub/a.yml': `scirpt: make\n${head}` })
    const cwd = path.join(folder, 'sub')
    const named = async (format: string) =>
      (await linter.run(['lint', '--format', format, 'a.yml'], { cwd })).stdout
    expect(await named('github')).toContain('::warning file=a.yml,')
    mkdirSync(path.join(folder, '.git'))
    expect(await named('github')).toContain('::warning file=sub/a.yml,')
    const { runs } = JSON.parse(await named('sarif')) as { runs: object[] }
    expect(runs).toMatchObject([{ artifacts: [{ location: { uri: 'sub/a.yml' } }] }])
    expect(JSON.parse(await named('json'))).toMatchObject({ findings: [{ file: 'a.yml' }] })
  })

  test('checkstyle', async () => {
    expect(await output('checkstyle')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<checkstyle version="4.3">
  <file name="&lt;stdin&gt;">
    <error line="1" column="1" severity="warning" message="${finding.message.replaceAll('"', '&quot;')}" source="build-service.find_key"/>
  </file>
</checkstyle>
`)
  })

  test('sarif', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    const { runs } = JSON.parse(await output('sarif')) as { runs: object[] }
    expect(runs).toMatchObject([
      {
        tool: { driver: { name: 'build-service', semanticVersion: version } },
        results: [{ ruleId: 'find_key', level: 'warning', message: { text: finding.message } }],
      },
    ])
  })
})

describe('protection from a hostile repository:', () => {
  const refused = (file: string, reason: string) => ({
    code: 2,
    stdout: '',
    stderr: `build-service: ${file} cannot be read: ${reason}\n`,
  })
  const leadsOut =
    'it is a link that points outside the repository; replace it with the file itself'

  test('a pattern of many stars takes no longer than any other', () => {
    const isMatch = readPathPattern(`${'*a'.repeat(30)}*b`)
    expect(isMatch('a'.repeat(200))).toBe(false)
    expect(isMatch(`${'a'.repeat(200)}b`)).toBe(true)
  })

  test.each([
    ['ci/*.yml', ['ci/a.yml', 'ci/.yml'], ['ci/a/b.yml', 'a.yml', 'ci/a.yml.bak', 'ci/ayml']],
    ['**/a.yml', ['a.yml', 'x/a.yml', 'x/y/a.yml'], ['xa.yml', 'a.yml/b']],
    ['./x/**/*a*/**/b', ['x/a/b', 'x/y/bab/z/b', 'x/b/a/a/b'], ['x/b', 'x/y/b', 'a/b']],
    ['x/**', ['x/a'], ['x/a/b', 'x']],
    ['a+(b).yml', ['a+(b).yml'], ['aab.yml', 'ab.yml']],
  ])('the pattern %s', (pattern, matching, others) => {
    const isMatch = readPathPattern(pattern)
    expect(matching.filter((name) => !isMatch(name))).toEqual([])
    expect(others.filter(isMatch)).toEqual([])
  })

  test.each(['.service.yml', '.service-lint.yml'])(
    'a link %s reveals no file outside, however the link is found',
    async (name) => {
      const cwd = folderWith({
        netrc: 'machine example.com password hunter2\n',
        'project/.git/HEAD': '',
        'project/a/.service.yml': clean,
      })
      rmSync(path.join(cwd, 'project/a', name), { force: true })
      symlinkSync('../../netrc', path.join(cwd, 'project/a', name))
      const inFolder = path.join(cwd, 'project/a')
      expect(await linter.run(['lint'], { cwd: inFolder })).toEqual(refused(name, leadsOut))
      expect(await linter.run(['lint', '.'], { cwd: inFolder })).toEqual(refused(name, leadsOut))
      expect(await linter.run(['lint', 'project/a/.service.yml'], { cwd })).toEqual(
        refused(`project/a/${name}`, leadsOut),
      )
      expect(await linter.run(['expand'], { cwd: inFolder })).toMatchObject(
        name === '.service.yml' ? refused(name, leadsOut) : { code: 0 },
      )
    },
  )

  test('links within a repository are followed, and without a repository those within the folder', async () => {
    const cwd = folderWith({ '.git/HEAD': '', 'shared.yml': clean, 'a/x': '' })
    symlinkSync('../shared.yml', path.join(cwd, 'a/.service.yml'))
    expect(await linter.run(['lint', 'a'], { cwd })).toMatchObject({ code: 0 })
    rmSync(path.join(cwd, '.git'), { recursive: true })
    expect(await linter.run(['lint', 'a'], { cwd })).toEqual(refused('a/.service.yml', leadsOut))
  })

  test('only regular files are read', async () => {
    const reason = 'it is not a regular file; for standard input use "-"'
    const cwd = folderWith({ 'a/x': '', 'b/.service.yml': clean })
    execFileSync('mkfifo', [path.join(cwd, 'a/.service.yml')])
    symlinkSync('/dev/zero', path.join(cwd, 'b/.service-lint.yml'))
    expect(await linter.run(['lint', 'a'], { cwd })).toEqual(refused('a/.service.yml', reason))
    expect(await linter.run(['lint', 'b/.service.yml'], { cwd })).toEqual(
      refused('b/.service-lint.yml', reason),
    )
    expect(await linter.run(['lint', '/dev/zero'])).toEqual(refused('/dev/zero', reason))
  })

  test('a file above the maximum size of a build file is not read', async () => {
    const cwd = folderWith({ 'a.yml': `${clean}# ${'a'.repeat(mostBytes)}\n` })
    expect(await linter.run(['lint', 'a.yml'], { cwd })).toEqual(
      refused('a.yml', 'it is larger than the limit of 256 KiB'),
    )
  })
})

describe('lint --fix', () => {
  test('fixes the file, reports the fixes, and shows the remaining findings', async () => {
    const cwd = folderWith({ '.service.yml': `${dirty}foo: 1\n` })
    const file = path.join(cwd, '.service.yml')
    chmodSync(file, 0o640)
    expect(await linter.run(['lint', '--fix'], { cwd })).toEqual({
      code: 1,
      stdout: `.service.yml:8:1 warn unknown key "foo" here, ignored: \
remove it, or begin its name with "_" if it is yours [unknown_key]
  8 | foo: 1
    | ^^^

1 warning in 1 file
More about a code: build-service explain unknown_key
`,
      stderr: '.service.yml: fixed: write "jobs"\n.service.yml: fixed: write "script"\n',
    })
    expect(readFileSync(file, 'utf8')).toBe(`${mended}foo: 1\n`)
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(readdirSync(cwd)).toEqual(['.service.yml'])
  })

  test('leaves a file alone that needs no fix', async () => {
    const cwd = folderWith({ '.service.yml': clean })
    const before = statSync(path.join(cwd, '.service.yml'))
    expect(await linter.run(['lint', '--fix'], { cwd })).toMatchObject({ code: 0, stderr: '' })
    expect(statSync(path.join(cwd, '.service.yml')).ino).toBe(before.ino)
  })

  test('fixes the target of a link', async () => {
    const cwd = folderWith({ 'ci/file.yml': dirty })
    symlinkSync('ci/file.yml', path.join(cwd, '.service.yml'))
    await linter.run(['lint', '--fix'], { cwd })
    expect(lstatSync(path.join(cwd, '.service.yml')).isSymbolicLink()).toBe(true)
    expect(readFileSync(path.join(cwd, 'ci/file.yml'), 'utf8')).toBe(mended)
  })

  test('prints standard input with its fixes', async () => {
    expect(await linter.run(['lint', '--fix', '-'], { input: dirty })).toEqual({
      code: 0,
      stdout: mended,
      stderr:
        '<stdin>: fixed: write "jobs"\n<stdin>: fixed: write "script"\nnothing found in 1 file\n',
    })
    const same = await linter.run(['lint', '--fix', '-'], { input: 'a: [\n' })
    expect(same).toMatchObject({ code: 2, stdout: 'a: [\n' })
  })

  test('applies only the selected fixes', async () => {
    const { stdout } = await linter.run(['lint', '--fix', '--rule', 'alias_key', '-'], {
      input: dirty,
    })
    expect(stdout).toBe(mended.replace(/script: make\n$/, 'scirpt: make\n'))
  })

  test('applies fixes that change the jobs only on request', async () => {
    const input = `${head}rvm: 010\n`
    const fix = (...more: string[]) => linter.run(['lint', '--fix', ...more, '-'], { input })
    expect(await fix()).toMatchObject({
      stdout: input,
      stderr: expect.stringContaining(
        '<stdin>: 1 fix would change the jobs: look at them with expand, and add --unsafe\n',
      ),
    })
    expect(await fix('--unsafe')).toMatchObject({
      stdout: `${head}rvm: '010'\n`,
      stderr: "<stdin>: fixed: write '010'\nnothing found in 1 file\n",
    })
  })

  test('does not touch a file with bytes that it would lose', async () => {
    const bytes = Buffer.from([...Buffer.from(dirty), 0x23, 0xff, 0x0a])
    const cwd = folderWith({ '.service.yml': bytes })
    expect(await linter.run(['lint', '--fix'], { cwd })).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'build-service: .service.yml cannot be fixed: it contains bytes that are not UTF-8; ' +
        'correct them first; it was left as it is\n',
    })
    expect(readFileSync(path.join(cwd, '.service.yml'))).toEqual(bytes)
  })

  test('does not overwrite a file that has changed in the meantime', () => {
    const file = path.join(folderWith({ 'a.yml': 'newer' }), 'a.yml')
    expect(() => replaceFile(file, Buffer.from('older'), 'mended')).toThrow(
      'it changed in the meantime; review it and try again',
    )
    expect(readFileSync(file, 'utf8')).toBe('newer')
    expect(readdirSync(path.dirname(file))).toEqual(['a.yml'])
  })
})

describe('the linter', () => {
  test('starts without loading the service', () => {
    const own = /^(src\/(domain|buildfile|lint|cli)|node_modules\/yaml)\//
    expect(linter.parts().filter((file) => !own.test(file))).toEqual(['src/service/version.ts'])
  })

  test.each(['lint', 'expand', 'explain', 'inspect'])(
    'the command %s is the same in both programs',
    async (name) => {
      const { code, stdout } = await linter.run([name, '--help'])
      expect({ code, first: stdout.split(' [')[0] }).toEqual({
        code: 0,
        first: expect.stringMatching(new RegExp(`^Usage: build-service ${name}`)),
      })
      expect(stdout).toContain(`$ build-service ${name}`.slice(2))
      expect((await command([name, '--help'])).stdout).toBe(stdout)
      expect((await command(['--help'])).stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
    },
  )

  test('is the command of the commit hook', async () => {
    const hooks = parse(readFileSync('.pre-commit-hooks.yaml', 'utf8')) as Record<string, string>[]
    const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { bin: object }
    for (const { entry = '', files = '' } of hooks) {
      const [program = '', ...args] = entry.split(' ')
      expect(Object.keys(bin)).toContain(program)
      expect(
        ['.service.yml', 'a/.service.yml', 'service.yml'].filter((name) =>
          new RegExp(files).test(name),
        ),
      ).toEqual(['.service.yml'])
      const cwd = folderWith({ '.service.yml': dirty })
      expect(await linter.run([...args, '.service.yml'], { cwd })).toMatchObject({ code: 1 })
    }
    expect(hooks).toHaveLength(1)
  })
})
