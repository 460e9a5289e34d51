// Names that differ between the observed service and this service, for projects that were built there.

/** Build files of the observed service, in the order in which it looks for them. */
export const observedBuildFiles: readonly string[] = ['.travis.yml', '.travis.yaml']

/** Variables that both services set. */
const variables = [
  ...['ALLOW_FAILURE', 'APP_HOST', 'BRANCH', 'BUILD_DIR', 'BUILD_ID', 'BUILD_NUMBER'],
  ...['BUILD_STAGE_NAME', 'BUILD_WEB_URL', 'COMMIT', 'COMMIT_MESSAGE', 'COMMIT_RANGE', 'COMPILER'],
  ...['CPU_ARCH', 'DIST', 'EVENT_TYPE', 'HOME', 'INIT', 'JOB_ID', 'JOB_NAME', 'JOB_NUMBER'],
  ...['JOB_RESTARTED', 'JOB_RESTARTED_BY', 'JOB_WEB_URL', 'LANGUAGE', 'OS_NAME', 'OSX_IMAGE'],
  ...['PULL_REQUEST', 'PULL_REQUEST_BRANCH', 'PULL_REQUEST_IS_DRAFT', 'PULL_REQUEST_SHA'],
  ...['PULL_REQUEST_SLUG', 'REPO_PRIVATE', 'REPO_SLUG', 'ROOT', 'SECURE_ENV_VARS', 'SUDO', 'TAG'],
  ...['TEST_RESULT', 'TMPDIR', 'DART_VERSION', 'ELIXIR_VERSION', 'ELM_VERSION', 'GO_VERSION'],
  ...['HAXE_VERSION', 'JDK_VERSION', 'JULIA_VERSION', 'NODE_VERSION', 'PERL_VERSION'],
  ...['PHP_VERSION', 'PYTHON_VERSION', 'R_VERSION', 'RUBY_VERSION', 'RUST_VERSION'],
  ...['SCALA_VERSION'],
]

/** Functions that the scripts of both services define. */
const functions = [
  ...['assert', 'cmd', 'fold', 'result', 'retry', 'terminate', 'time_finish', 'time_start'],
  'wait',
]

/** Names of the former service in build files and scripts, each with its name in this service. */
export const renamedWords: ReadonlyMap<string, string> = new Map([
  ['TRAVIS', 'SERVICE'],
  // As in patterns of names, such as TRAVIS_*.
  ['TRAVIS_', 'SERVICE_'],
  ['TRAVIS_OTP_RELEASE', 'SERVICE_OTP_RELEASE_VERSION'],
  ...variables.map((name) => [`TRAVIS_${name}`, `SERVICE_${name}`] as const),
  ...functions.map((name) => [`travis_${name}`, `service_${name}`] as const),
  // A marker between the lines of a log, such as `travis_fold` prints.
  ['travis_time', 'service_time'],
])

/** A word that may be in `renamedWords`, or a variable that this service does not set. */
export const observedWord =
  /(?<![\w/-])TRAVIS(?![\w/-]| CI\b)|(?:(?<!\w)|(?<=\\[nrt]))(?:TRAVIS_[A-Z\d_]*(?!\w)|(?<![./-])travis_[a-z_]+(?!\w|[./-]\w))/g

/** Keys of a build file with their names in this service; also matched when written with dashes. */
export const renamedKeys: ReadonlyMap<string, string> = new Map([
  ['github_token', 'codehost_token'],
  ['github_url', 'codehost_url'],
  ['r_github_packages', 'r_codehost_packages'],
])

/** Keys of a build file with a value that has another name here. */
export const renamedValues: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
  ['revision_type', { github: 'codehost' }],
])

/** Functions of the observed service that this one does not have. */
export const missingFunctions: ReadonlySet<string> = new Set(
  [
    ...['apt_get_options', 'apt_get_update', 'bash_qsort_numeric', 'cleanup', 'decrypt'],
    ...['download', 'export_go', 'find_jdk_path', 'footer', 'install_jdk', 'internal_ruby'],
    ...['jigger', 'nanoseconds', 'preamble', 'remove_from_path', 'setup_apt_proxy', 'setup_env'],
    ...['setup_java', 'setup_mongodb', 'setup_postgresql', 'temporary_hacks', 'trace_span'],
    ...['vers2int', 'whereami'],
  ].map((name) => `travis_${name}`),
)

/** Texts without meaning in this service, each with advice. `is` is the kind of difference. */
export const observedTexts = [
  {
    pattern: /\bencrypted_[\da-f]{6,}_(?:key|iv)\b/,
    is: 'secret',
    advice:
      'is a variable that the former service set to decrypt a file: add it to the ' +
      'settings of the repository here, or encrypt the file with a key of your own',
  },
  {
    pattern: /\/(?:home|Users)\/travis\b/,
    is: 'other',
    advice: 'is a home folder of the former service: write $HOME',
  },
  {
    pattern: /\.travis\/(?:functions|job_stages)\b/,
    is: 'other',
    advice: 'is a file that jobs do not have here: remove the lines that read it',
  },
  {
    pattern: /\bapi\.travis-ci\.(?:org|com)\b/,
    is: 'other',
    advice: 'is the API of the former service: call the API of this one (its page /docs)',
  },
  {
    pattern: /(?<![\w/-])(?:\.\/)?\.travis\.ya?ml\b/,
    is: 'other',
    advice:
      'is the former name of the build file: write .service.yml where this repository is meant',
  },
] as const

/** The names that change, as Markdown for the guide to migrating. */
export function namesTable(): string {
  const patterns = ['TRAVIS_', 'travis_time']
  const rows = [...renamedWords, ...renamedKeys]
    .filter(([name]) => !patterns.includes(name))
    .map(([name, renamed]) => `| \`${name}\` | \`${renamed}\` |`)
  return ['| There | Here |', '|---|---|', ...rows].join('\n')
}
