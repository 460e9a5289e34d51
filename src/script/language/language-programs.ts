/** The program that a language requires, and how its versions are found. */
export interface LanguageTool {
  /** Name of the program in lines of a build file. */
  program: string
  /** Names on the path, as patterns of bash; the first one counts if no version is requested. */
  names: readonly string[]
  /** The folders of version managers, as words of bash. */
  places: readonly string[]
  /** The arguments that print the program's version. */
  tells: readonly string[]
  /** The key of a build file that requests a version. */
  key?: string
  /** Its names in `.tool-versions`, as a regular expression, if that file can request a version. */
  asdf?: string
  /** Other files that can request a version, if no build file does. */
  files?: readonly string[]
  /** Other required programs. */
  besides?: readonly string[]
}

/** The option prints the runtime's version, and releases before 17 have no file with their version. */
const erlangRelease = [
  'Release = erlang:system_info(otp_release),',
  'File = filename:join([code:root_dir(), "releases", Release, "OTP_VERSION"]),',
  'case file:read_file(File) of {ok, Text} -> io:put_chars(Text); _ -> io:put_chars(Release) end,',
  'halt().',
].join(' ')

type Programs = Readonly<Record<string, LanguageTool>>

/** A program with a single name, searched for only on the path. */
const plain = (program: string, option: string, key: string): LanguageTool => ({
  program,
  names: [program],
  places: [],
  tells: [option],
  key,
  asdf: program,
})

const java: LanguageTool = {
  program: 'java',
  names: ['java'],
  places: ['/usr/lib/jvm/*/bin/java', '"$SDKMAN_DIR"/candidates/java/*/bin/java'],
  tells: ['-version'],
  key: 'jdk',
  asdf: 'java',
}

const node: LanguageTool = {
  program: 'node',
  names: ['node', 'nodejs'],
  places: [
    '"${NVM_DIR:-$HOME/.nvm}"/versions/node/*/bin/node',
    '"$VOLTA_HOME"/tools/image/node/*/bin/node',
    '"$ASDF_DATA_DIR"/installs/nodejs/*/bin/node',
  ],
  tells: ['--version'],
  key: 'node_js',
  asdf: 'nodejs|node',
  files: ['.nvmrc', '.node-version'],
}

/** Tools by language; the compilers of C and D are named by the build file. */
export const languagePrograms: Programs = {
  node_js: node,
  python: {
    program: 'python',
    names: ['python', 'python3', 'python[23].[0-9]', 'python3.[0-9][0-9]'],
    places: [
      '"$PYENV_ROOT"/versions/*/bin/python',
      '"$ASDF_DATA_DIR"/installs/python/*/bin/python',
    ],
    tells: ['--version'],
    key: 'python',
    asdf: 'python',
    files: ['.python-version'],
  },
  ruby: {
    program: 'ruby',
    names: ['ruby', 'ruby[0-9].[0-9]'],
    places: ['"$RBENV_ROOT"/versions/*/bin/ruby', '"$ASDF_DATA_DIR"/installs/ruby/*/bin/ruby'],
    tells: ['--version'],
    key: 'rvm',
    asdf: 'ruby',
    files: ['.ruby-version'],
  },
  go: {
    program: 'go',
    names: ['go'],
    places: [
      ...['/usr/local/go/bin/go', '/usr/lib/go-*/bin/go'],
      '"$ASDF_DATA_DIR"/installs/golang/*/go/bin/go',
    ],
    tells: ['version'],
    key: 'go',
    asdf: 'golang|go',
    files: ['go.mod'],
  },
  java,
  php: {
    program: 'php',
    names: ['php', 'php[0-9].[0-9]'],
    places: [],
    tells: ['--version'],
    key: 'php',
    asdf: 'php',
  },
  rust: {
    program: 'rustc',
    names: ['rustc'],
    places: ['"$RUSTUP_HOME"/toolchains/*/bin/rustc'],
    tells: ['--version'],
    key: 'rust',
    asdf: 'rust',
    files: ['rust-toolchain.toml', 'rust-toolchain'],
    besides: ['cargo'],
  },
  ...Object.fromEntries(
    ['android', 'clojure', 'groovy', 'scala'].map((language) => [language, java] as const),
  ),
  perl: plain('perl', '-v', 'perl'),
  perl6: { ...plain('raku', '--version', 'perl6'), names: ['raku', 'perl6'] },
  elixir: {
    ...plain('elixir', '', 'elixir'),
    // Older releases print only the version of Erlang first, and have no option for their own version alone.
    tells: ['-e', 'IO.puts System.version'],
    besides: ['mix'],
  },
  erlang: {
    ...plain('erl', '-version', 'otp_release'),
    tells: ['-noshell', '-eval', erlangRelease],
    asdf: 'erlang',
  },
  haskell: {
    ...plain('ghc', '--numeric-version', 'ghc'),
    asdf: 'ghc|haskell',
    names: ['ghc', 'ghc-[0-9]*'],
    places: ['"$HOME"/.ghcup/bin/ghc-[0-9]*'],
  },
  julia: plain('julia', '--version', 'julia'),
  r: { ...plain('Rscript', '--version', 'r'), asdf: 'R' },
  dart: plain('dart', '--version', 'dart'),
  crystal: plain('crystal', '--version', 'crystal'),
  csharp: plain('mono', '--version', 'mono'),
  dotnet: { ...plain('dotnet', '--version', 'dotnet'), asdf: 'dotnet(-core)?' },
  // Its default commands install Elm itself with npm.
  elm: node,
  haxe: plain('haxe', '--version', 'haxe'),
  hack: plain('hhvm', '--version', 'hhvm'),
  nix: plain('nix-build', '--version', 'nix'),
}
