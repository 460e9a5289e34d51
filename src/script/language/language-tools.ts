import type { JobConfig } from '../../domain/job/job.ts'
import { firstText } from '../first-text.ts'
import { compilerOfD, usesDotnet } from './compiled-languages.ts'
import { type LanguageTool, languagePrograms } from './language-programs.ts'

/** A compiler is requested by its name, which may contain a version. */
function compiler(byDefault: string, config: JobConfig): LanguageTool {
  return compilerNamed(firstText(config.compiler) ?? byDefault)
}

function compilerNamed(program: string): LanguageTool {
  return {
    program,
    names: [program.replaceAll(/[\\*?[\]]/g, '\\$&')],
    places: [],
    tells: ['--version'],
  }
}

/** The tool of a language; undefined for languages that need none, or that are not known here. */
export function languageTool(language: string, config: JobConfig): LanguageTool | undefined {
  if (language === 'c') return compiler('gcc', config)
  if (language === 'cpp') return compiler('g++', compilerOfCpp(config))
  if (language === 'd') return compilerNamed(compilerOfD(config).DC)
  if (language === 'csharp' && usesDotnet(config)) return languagePrograms.dotnet
  return Object.hasOwn(languagePrograms, language) ? languagePrograms[language] : undefined
}

/** The config with a C++ compiler, as in the defaults of the language: `gcc` means `g++` there. */
function compilerOfCpp(config: JobConfig): JobConfig {
  const named = firstText(config.compiler)
  if (named === undefined) return config
  return { compiler: named.replace(/^gcc/, 'g++').replace(/^clang(?!\+)/, 'clang++') }
}

/** The keys whose versions cannot be checked here: their programs do not report them. */
const untold: Readonly<Record<string, string>> = {
  d: 'd',
  elixir: 'otp_release',
  elm: 'elm',
  smalltalk: 'smalltalk',
}

/** A requested version that is not checked, as `key: version`. */
export function uncheckedVersion(language: string, config: JobConfig): string | undefined {
  const key = Object.hasOwn(untold, language) ? untold[language] : undefined
  const asked = key === undefined ? undefined : firstText(config[key])
  // The default commands install the requested version.
  if (language === 'elm' && firstText(config.install) === undefined) return undefined
  return asked === undefined ? undefined : `${key}: ${asked}`
}

/** All tools that a survey of a machine looks for. A tool that several languages share is listed once. */
export function allLanguageTools(): [language: string, tool: LanguageTool][] {
  const others = Object.entries(languagePrograms).filter(
    ([, tool], index, all) => all.findIndex((each) => each[1] === tool) === index,
  )
  const compilers = { c: 'gcc', cpp: 'g++', d: 'dmd' }
  return [
    ...others,
    ...Object.entries(compilers).map(([language, name]): [string, LanguageTool] => [
      language,
      compilerNamed(name),
    ]),
  ]
}
