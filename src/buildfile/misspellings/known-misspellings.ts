const misspellings: Readonly<Record<string, readonly string[]>> = {
  after_deploy: ['after_deployment'],
  after_script: ['after_test'],
  after_success: ['after_successsudo'],
  allow_failures: ['allow_failures__php', 'known_failures'],
  apt_packages: ['r_apt_packages'],
  before_cache: ['before_archive'],
  before_deploy: ['before_deployment'],
  before_script: ['before_setup', 'deploybefore_script', 'jruby_before_script'],
  branch: ['branche'],
  branches: ['branchesonly'],
  bucket: ['s3_bucket'],
  deploy: ['diydeploy'],
  dist: ['distro'],
  language: ['langlanguage'],
  notifications: ['notifications.irc'],
  packages: ['src/packages'],
  r_binary_packages: ['r_binary_pacakges'],
  r_check_args: ['r_check_arg'],
  sudo: ['qqsudo'],
  virtualenv: ['virtual env'],
  warnings_are_errors: ['warning_are_errors', 'warnings_are_erros', 'warnings_as_errors'],
}

/** The intended name by misspelling, for misspellings that distance alone would not find. */
export const known: ReadonlyMap<string, string> = new Map(
  Object.entries(misspellings).flatMap(([meant, texts]) =>
    texts.map((text) => [text, meant] as const),
  ),
)

/** Valid words that are not misspellings. */
export const stopWords: ReadonlySet<string> = new Set([
  'after_vendor',
  'branch',
  'branches',
  'erlang',
  'gcc',
  'golang',
  'html',
  'jvm',
  'nvm',
  'osx',
  'pip',
  'pgsql',
  'postgres',
  'prose',
  'sdk',
  'slack',
  'start_script',
  'test',
  'trusty',
  'versions',
  'vimscript',
])

/** Names that no misspelling is corrected to. */
export const neverMeant: ReadonlySet<string> = new Set(['elm_test'])

/** Keys of the language R, which most files do not use. */
export const neverCandidates: ReadonlySet<string> = new Set([
  'r_packages',
  'r_binary_packages',
  'r_codehost_packages',
  'apt_packages',
  'bioc_packages',
  'brew_packages',
  'bioc',
  'bioc_check',
  'bioc_required',
  'bioc_use_devel',
  'cran',
  'disable_homebrew',
  'latex',
  'pandoc',
  'pandoc_version',
  'r_build_args',
  'r_check_args',
  'r_check_revdep',
  'warnings_are_errors',
  'remotes',
  'repos',
])
