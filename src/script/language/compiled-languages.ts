import type { JobConfig } from '../../domain/job/job.ts'
import { firstText } from '../first-text.ts'
import type { ScriptStep } from '../steps.ts'
import {
  finds,
  has,
  type Language,
  type LanguageOf,
  line,
  noScript,
  textsOf,
  when,
  word,
} from './language.ts'

type Variables = Record<string, string>

function c(config: JobConfig): Language {
  const compiler = firstText(config.compiler) ?? 'gcc'
  return compiled(compiler, { CC: compiler })
}

/** `compiler: clang` means `clang++` for C++, and `clang` for C code in the same project. */
function cpp(config: JobConfig): Language {
  const compiler = firstText(config.compiler) ?? 'g++'
  const ofCpp = compiler.replace(/^gcc/, 'g++').replace(/^clang(?!\+)/, 'clang++')
  const ofC = compiler.replace(/^g\+\+/, 'gcc').replace(/^clang\+\+/, 'clang')
  return compiled(compiler, { CXX: ofCpp, CXX_FOR_BUILD: ofCpp, CC: ofC })
}

function compiled(compiler: string, variables: Variables): Language {
  return {
    variables: { ...variables, SERVICE_COMPILER: compiler },
    announce: [`${variables.CXX ?? variables.CC ?? compiler} --version`],
    install: [],
    script: [{ run: './configure && make && make test' }],
  }
}

const hasMakefile = has('GNUmakefile', 'Makefile', 'makefile', 'BSDmakefile')

function go(config: JobConfig): Language {
  const args = firstText(config.gobuild_args) ?? '-v'
  return {
    announce: ['go version'],
    install: [when(hasMakefile, [], line('service_retry go get', args, '-t ./...'))],
    script: [when(hasMakefile, 'make', line('go test', args, './...'))],
  }
}

/** The first of the build tools that the repository has a file for. */
function byTool(gradle: string, maven: string, otherwise: readonly ScriptStep[]): ScriptStep[] {
  const byPom = [when(has('pom.xml'), `mvn ${maven}`, otherwise)]
  const byMaven = [when(has('mvnw'), `./mvnw ${maven}`, byPom)]
  const byGradle = [when(has('build.gradle', 'build.gradle.kts'), `gradle ${gradle}`, byMaven)]
  return [when(has('gradlew'), `./gradlew ${gradle}`, byGradle)]
}

const java: Language = {
  announce: ['java -version', 'javac -version'],
  install: byTool('assemble', 'install -DskipTests=true -Dmaven.javadoc.skip=true -B -V', []),
  script: byTool('check', 'test -B', [{ run: 'ant test' }]),
}

/** Without a version in the build file, sbt takes the one of the project. */
function scala(config: JobConfig): Language {
  const version = firstText(config.scala)
  const usesSbt = '[[ -d project || -f build.sbt ]]'
  const args = firstText(config.sbt_args)
  const test = line('sbt', args, version && word(`++${version}`), 'test')
  return {
    ...java,
    install: [when(usesSbt, [], java.install)],
    script: [when(usesSbt, test, java.script)],
  }
}

const clojure: Language = {
  announce: java.announce,
  install: [{ run: 'service_retry lein deps' }],
  script: [{ run: 'lein test' }],
}

const rust: Language = {
  announce: ['rustc --version', 'cargo --version'],
  install: [],
  script: [{ run: 'cargo build --verbose' }, { run: 'cargo test --verbose' }],
}

const crystal: Language = {
  announce: ['crystal --version', 'shards --version'],
  install: [when(has('shard.yml'), 'service_retry shards install')],
  script: [{ run: 'crystal spec' }],
}

/** The compilers of D, by what the key `d` begins with. */
const compilersOfD: Readonly<Record<string, { DC: string; DMD: string }>> = {
  dmd: { DC: 'dmd', DMD: 'dmd' },
  ldc: { DC: 'ldc2', DMD: 'ldmd2' },
  gdc: { DC: 'gdc', DMD: 'gdmd' },
}

/** The variables for the compiler that the key `d` asks for; a version does not change them. */
export function compilerOfD(config: JobConfig): { DC: string; DMD: string } {
  const kind = firstText(config.d)?.trim().slice(0, 3).toLowerCase()
  const own = kind !== undefined && Object.hasOwn(compilersOfD, kind)
  return (own ? compilersOfD[kind] : undefined) ?? { DC: 'dmd', DMD: 'dmd' }
}

function d(config: JobConfig): Language {
  const variables = compilerOfD(config)
  return {
    variables,
    announce: [`${variables.DC} --version`, 'dub --version'],
    install: [],
    script: [{ run: 'dub test --compiler=$DC' }],
  }
}

/** Without a solution, there is nothing to build; .NET without Mono has no defaults. */
function csharp(config: JobConfig): Language {
  const solution = firstText(config.solution)
  if (usesDotnet(config)) {
    const script = [noScript('C# with "dotnet"', 'dotnet test')]
    return { announce: ['dotnet --version'], install: [], script }
  }
  const announce = ['mono --version']
  if (solution === undefined) {
    const script = [noScript('C# without "solution"', 'make test')]
    return { announce, install: [], script }
  }
  const build = (program: string) => `${program} /p:Configuration=Release ${word(solution)}`
  return {
    announce,
    install: [{ run: `service_retry nuget restore ${word(solution)}` }],
    // Mono has no msbuild before 5.
    script: [
      when(`! ${finds('msbuild')} && ${finds('xbuild')}`, build('xbuild'), build('msbuild')),
    ],
  }
}

/** Whether a job of C# has the tools of .NET instead of those of Mono. */
export function usesDotnet(config: JobConfig): boolean {
  const mono = firstText(config.mono)
  return mono === 'none' || (mono === undefined && firstText(config.dotnet) !== undefined)
}

const haskell: Language = {
  announce: ['ghc --version', 'cabal --version'],
  install: [
    { run: 'service_retry cabal update' },
    { run: 'cabal install --only-dependencies --enable-tests' },
  ],
  script: [{ run: 'cabal configure --enable-tests && cabal build && cabal test' }],
}

function haxe(config: JobConfig): Language {
  const files = textsOf(config.hxml).map(word)
  // Nothing can answer its questions.
  const install = files.map((file) => ({ run: `service_retry haxelib install --always ${file}` }))
  const script = files.map((file) => ({ run: `haxe ${file}` }))
  return {
    announce: ['haxe --version'],
    install,
    script: script.length > 0 ? script : [noScript('Haxe without "hxml"', 'haxe test.hxml')],
  }
}

const nix: Language = {
  announce: ['nix-env --version'],
  install: [],
  script: [{ run: 'nix-build' }],
}

export const compiledLanguages = {
  c,
  clojure: () => clojure,
  cpp,
  crystal: () => crystal,
  csharp,
  d,
  go,
  groovy: () => java,
  haskell: () => haskell,
  haxe,
  java: () => java,
  nix: () => nix,
  rust: () => rust,
  scala,
} satisfies Record<string, LanguageOf>
