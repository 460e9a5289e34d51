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

/** A program that is looked for by its one name, on the path alone. */
const plain = (program: string, option: string, key?: string): LanguageTool => ({
  program,
  names: [program],
  places: [],
  option,
  ...(key === undefined ? {} : { key }),
})

const java: LanguageTool = {
  program: 'java',
  names: ['java'],
  places: ['/usr/lib/jvm/*/bin/java', '"$SDKMAN_DIR"/candidates/java/*/bin/java'],
  option: '-version',
  key: 'jdk',
}

/** By the language; those of C are named by the build file. */
export const languagePrograms: Programs = {
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
  java,
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
  ...Object.fromEntries(
    ['android', 'clojure', 'groovy', 'scala'].map((language) => [language, java] as const),
  ),
  perl: plain('perl', '-v', 'perl'),
  perl6: { ...plain('raku', '--version', 'perl6'), names: ['raku', 'perl6'] },
  elixir: { ...plain('elixir', '--short-version', 'elixir'), besides: ['mix'] },
  erlang: plain('erl', '-version'),
  haskell: {
    ...plain('ghc', '--numeric-version', 'ghc'),
    names: ['ghc', 'ghc-[0-9]*'],
    places: ['"$HOME"/.ghcup/bin/ghc-[0-9]*'],
  },
  julia: plain('julia', '--version', 'julia'),
  r: plain('Rscript', '--version', 'r'),
  dart: plain('dart', '--version', 'dart'),
  crystal: plain('crystal', '--version', 'crystal'),
  csharp: plain('mono', '--version', 'mono'),
  dotnet: plain('dotnet', '--version', 'dotnet'),
  elm: plain('elm', '--version', 'elm'),
  haxe: plain('haxe', '--version', 'haxe'),
  hack: plain('hhvm', '--version', 'hhvm'),
}
