import type { JobConfig } from '../../domain/job/job.ts'
import { firstText } from '../first-text.ts'

/** The program without which a language is not there, and how its versions are found. */
export interface LanguageTool {
  /** The name that lines of a build file call it by. */
  program: string
  /** Names on the path, as patterns of bash; the first one counts where no version is asked for. */
  names: readonly string[]
  /** The folders of version managers, as words of bash. */
  places: readonly string[]
  /** The option that prints its version. */
  option: string
  /** The key of a build file that asks for a version. */
  key?: string
  /** What else has to be there. */
  besides?: readonly string[]
}

type Programs = Readonly<Record<string, LanguageTool>>

const versioned: Programs = {
  node_js: {
    program: 'node',
    names: ['node', 'nodejs'],
    places: [
      '"${NVM_DIR:-$HOME/.nvm}"/versions/node/*/bin/node',
      '"$VOLTA_HOME"/tools/image/node/*/bin/node',
      '"$ASDF_DATA_DIR"/installs/nodejs/*/bin/node',
    ],
    option: '--version',
    key: 'node_js',
  },
  python: {
    program: 'python',
    names: ['python', 'python3', 'python[23].[0-9]', 'python3.[0-9][0-9]'],
    places: [
      '"$PYENV_ROOT"/versions/*/bin/python',
      '"$ASDF_DATA_DIR"/installs/python/*/bin/python',
    ],
    option: '--version',
    key: 'python',
  },
  ruby: {
    program: 'ruby',
    names: ['ruby', 'ruby[0-9].[0-9]'],
    places: ['"$RBENV_ROOT"/versions/*/bin/ruby', '"$ASDF_DATA_DIR"/installs/ruby/*/bin/ruby'],
    option: '--version',
    key: 'rvm',
  },
  go: {
    program: 'go',
    names: ['go'],
    places: [
      ...['/usr/local/go/bin/go', '/usr/lib/go-*/bin/go'],
      '"$ASDF_DATA_DIR"/installs/golang/*/go/bin/go',
    ],
    option: 'version',
    key: 'go',
  },
  java: {
    program: 'java',
    names: ['java'],
    places: ['/usr/lib/jvm/*/bin/java', '"$SDKMAN_DIR"/candidates/java/*/bin/java'],
    option: '-version',
    key: 'jdk',
  },
  php: {
    program: 'php',
    names: ['php', 'php[0-9].[0-9]'],
    places: [],
    option: '--version',
    key: 'php',
  },
  rust: {
    program: 'rustc',
    names: ['rustc'],
    places: ['"$RUSTUP_HOME"/toolchains/*/bin/rustc'],
    option: '--version',
    key: 'rust',
    besides: ['cargo'],
  },
}

/** A compiler is asked for by its name, which may have a version in it. */
function compiler(byDefault: string, config: JobConfig): LanguageTool {
  const program = firstText(config.compiler) ?? byDefault
  return {
    program,
    names: [program.replaceAll(/[\\*?[\]]/g, '\\$&')],
    places: [],
    option: '--version',
  }
}

/** The tool of a language; undefined for those that need none, or that are not known here. */
export function languageTool(language: string, config: JobConfig): LanguageTool | undefined {
  if (language === 'c') return compiler('gcc', config)
  if (language === 'cpp') return compiler('g++', compilerOfCpp(config))
  return Object.hasOwn(versioned, language) ? versioned[language] : undefined
}

/** As in the defaults of the language: `gcc` means `g++` there. */
function compilerOfCpp(config: JobConfig): JobConfig {
  const named = firstText(config.compiler)
  if (named === undefined) return config
  return { compiler: named.replace(/^gcc/, 'g++').replace(/^clang(?!\+)/, 'clang++') }
}

/** All that a machine may have, for whoever looks what it has. */
export function allLanguageTools(): [language: string, tool: LanguageTool][] {
  return [...Object.entries(versioned), ['c', compiler('gcc', {})], ['cpp', compiler('g++', {})]]
}
