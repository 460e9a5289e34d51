import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { languagesWithoutCommands } from '../../../src/domain/job/language-tools.ts'
import { languages } from '../../../src/script/language/language-defaults.ts'
import { languageTool } from '../../../src/script/language/language-tools.ts'
import { commandsIn, runJob } from '../program.ts'
import { type Config, type Files, stub } from './command-row.ts'
import { compiledRows } from './compiled-rows.ts'
import { runtimeRows } from './runtime-rows.ts'
import { scriptingRows } from './scripting-rows.ts'

/** Programs of all languages, except those whose absence changes the commands. */
const programs = [
  ...['node', 'npm', 'python', 'pip', 'ruby', 'bundle', 'rake', 'go', 'make', 'java', 'javac'],
  ...['gradle', 'mvn', 'ant', 'sbt', 'lein', 'php', 'phpunit', 'hhvm', 'rustc', 'cargo', 'gcc'],
  ...['g++', 'perl', 'cpanm', 'raku', 'prove', 'ghc', 'cabal', 'erl', 'elixir', 'mix', 'crystal'],
  ...['shards', 'dmd', 'ldc2', 'dub', 'dart', 'haxe', 'haxelib', 'julia', 'R', 'Rscript', 'mono'],
  ...['nuget', 'dotnet', 'nix-build', 'nix-env', 'rm'],
]

/**
 * Runs a job with these files in its repository, and with other versions or additional programs.
 */
function runWith(config: Config, files: Files, versions: Record<string, string> = {}) {
  const all = { ...Object.fromEntries(programs.map((name) => [name, '9.9.9'])), ...versions }
  const bin = Object.entries(all).map(([name, version]) => [`~/bin/${name}`, stub(version)])
  const named = Array.isArray(files) ? Object.fromEntries(files.map((name) => [name, ''])) : files
  // With a separate folder, npm itself is called.
  const there = { ...Object.fromEntries(bin), '~/lib/npm': '', ...named }
  return runJob({ env: 'PATH="$HOME/bin"', ...config }, { files: there })
}

const rows = [...compiledRows, ...runtimeRows, ...scriptingRows]

const isVersion = / -?-?version$/

describe('the default commands', () => {
  test.each(rows)('of %j with the files %j are %j (other programs: %j)', async (...row) => {
    const [config, files, commands, versions] = row
    const given = typeof config === 'string' ? { language: config } : config
    const answer = await runWith(given, files, versions)
    // A key set in the build file is not a default.
    const lines = commandsIn(answer).filter(
      (line) => !/^export \w+=(?:x|bin|"\$HOME.*)$/.test(line),
    )
    expect(lines.filter((line) => !isVersion.test(line))).toEqual(commands)
  })

  test.each([
    [
      'python',
      [],
      'Python has no script by default. Say how to test, for example "script: pytest"',
    ],
    [{ language: 'csharp' }, [], 'C# without "solution" has no script by default.'],
    [{ language: 'csharp', dotnet: '9.9' }, [], 'C# with "dotnet" has no script by default.'],
    ['haxe', [], 'Haxe without "hxml" has no script by default.'],
    ['dart', ['pubspec.yaml'], 'Dart without the package "test" has no script by default.'],
    ['r', [], 'R without DESCRIPTION has no script by default.'],
  ] as [string | Config, Files, string][])(
    'of %j with the files %j include no script: the job fails with a hint',
    async (config, files, text) => {
      const given = typeof config === 'string' ? { language: config } : config
      const answer = await runWith({ ...given, after_failure: 'builtin echo sad' }, files)
      expect(answer.code).toBe(1)
      expect(answer.raw).toContain(`␛[33;1m${text}`)
      expect(commandsIn(answer)).toContain('builtin echo sad')
    },
  )

  test.each([
    ['python', 'There is no requirements.txt, so nothing is installed. Say what to install, for'],
    ['r', 'There is no DESCRIPTION, so no dependencies are installed. Say what to install with'],
  ])('of %s report it if they install nothing', async (language, text) => {
    const { code, raw } = await runWith({ language, script: 'skip' }, [])
    expect(code).toBe(0)
    expect(raw).toContain(`␛[33;1m${text}`)
  })
})

interface Choice {
  const?: string
  enum?: string[]
  'x-flags'?: string[]
}

const { $defs } = JSON.parse(
  readFileSync(new URL('../../../schemas/parts/languages.json', import.meta.url), 'utf8'),
) as { $defs: { language: { anyOf: Choice[] } } }

/** The languages of build files; `shell` is `generic` for jobs. */
const known = $defs.language.anyOf
  .filter((each) => !each['x-flags']?.includes('internal'))
  .flatMap((each) => each.enum ?? each.const ?? [])
  .filter((name) => name !== 'shell')

test('exist for each language of build files, or the language is listed as one without', () => {
  expect(known.length).toBeGreaterThan(30)
  expect([...Object.keys(languages), ...languagesWithoutCommands].toSorted()).toEqual(
    known.toSorted(),
  )
})

test('have a row in this test and a tool in the tool check for each language', () => {
  const names = Object.keys(languages)
  const tested = rows.map(([config]) => (typeof config === 'string' ? config : config.language))
  expect(names.filter((name) => !tested.includes(name))).toEqual([])
  expect(names.filter((name) => languageTool(name, {}) === undefined)).toEqual(['generic'])
})

test.each([
  [{ language: 'd', d: 'ldc-1.30.0' }, '$DC $DMD', 'ldc2 ldmd2'],
  [{ language: 'd' }, '$DC $DMD', 'dmd dmd'],
  [{ language: 'cpp', compiler: 'clang++' }, '$CXX_FOR_BUILD', 'clang++'],
  [{ language: 'ruby', gemfile: 'gemfiles/a' }, '${BUNDLE_GEMFILE#"$PWD"}', '/gemfiles/a'],
  [{ language: 'groovy' }, '$TERM', 'dumb'],
  [{ language: 'node_js' }, '${PATH%%:*}', './node_modules/.bin'],
  [{ language: 'perl' }, '${PERL5LIB#"$HOME"}', '/perl5/lib/perl5'],
  [{ language: 'haxe' }, '${HAXELIB_PATH#"$HOME"}', '/haxelib'],
  [{ language: 'r' }, '$NOT_CRAN ${R_LIBS_USER#"$HOME"}', 'true /R/Library'],
] as [Config, string, string][])('%j sets %s to %s', async (config, words, shown) => {
  const script = `builtin echo "<${words}>"`
  const programOfC = { 'clang++': '17' }
  const { text } = await runWith(
    { install: 'skip', script, ...config },
    ['build.gradle'],
    programOfC,
  )
  expect(text).toContain(`\n<${shown}>\n`)
})

test('Yarn is installed if a repository has its lock file and the machine lacks Yarn', async () => {
  const yarn = '~/bin/yarn'
  const npm = `#!/bin/sh\nif [ "$1" = install ]; then echo '#!/bin/sh' >${yarn} && /bin/chmod +x ${yarn}; fi\n`
  const files = { 'package.json': '', 'yarn.lock': '', '~/bin/npm': npm }
  const answer = await runWith({ language: 'node_js' }, files)
  expect(commandsIn(answer).slice(-3)).toEqual([
    ...['service_retry npm install -g yarn', 'service_retry yarn --frozen-lockfile', 'yarn test'],
  ])
  expect(answer.code).toBe(0)
})

test.each([
  ['node_js', 'package.json', ['node'], 'npm'],
  ['scala', 'build.sbt', ['java'], 'sbt'],
  ['clojure', 'project.clj', ['java'], 'lein'],
  ['groovy', 'build.xml', ['java'], 'ant'],
  ['perl', 'cpanfile', ['perl'], 'cpanm'],
  ['perl6', 't/a.t', ['raku'], 'prove'],
  ['perl6', 't/a.t', [], 'raku'],
  ['haskell', 'x.cabal', ['ghc'], 'cabal'],
  ['haskell', 'x.cabal', [], 'ghc'],
  ['erlang', 'rebar.config', ['erl'], 'rebar3'],
  ['elixir', 'mix.exs', ['elixir'], 'mix'],
  ['crystal', 'shard.yml', ['crystal'], 'shards'],
  ['d', 'dub.json', ['dmd'], 'dub'],
  ['d', 'dub.json', [], 'dmd'],
  ['dart', 'pubspec.yaml', [], 'dart'],
  ['haxe', 'x.hxml', ['haxe'], 'haxelib'],
  ['julia', 'Project.toml', [], 'julia'],
  ['r', 'DESCRIPTION', [], 'Rscript'],
  ['csharp', 'x.sln', ['mono'], 'nuget'],
  ['csharp', 'x.sln', ['mono', 'nuget'], 'msbuild'],
  ['nix', 'default.nix', [], 'nix-build'],
  ['elm', 'elm.json', ['node'], 'npm'],
  ['elm', 'elm.json', ['node', 'npm'], 'elm-format'],
  ['hack', 'composer.json', ['hhvm'], 'phpunit'],
])('language %s with the file %s on a machine with %j reports a missing %s', async (...row) => {
  const [language, file, there, missing] = row
  const bin = Object.fromEntries(there.map((name) => [`~/bin/${name}`, stub('9.9.9')]))
  const { code, text } = await runJob(
    { env: 'PATH="$HOME/bin"', language, hxml: 'x.hxml', solution: 'x.sln' },
    { files: { ...bin, '~/lib/npm': '', [file]: '' } },
  )
  expect(text).toContain(
    `\nLanguage "${language}" needs ${missing}, which jobs do not find on this machine. Install it on the `,
  )
  expect(code).toBe(2)
})
