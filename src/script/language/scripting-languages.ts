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
  older,
  when,
  word,
} from './language.ts'

/** Node.js before 4 cannot run Yarn. */
const usesYarn = `${has('yarn.lock')} && ! ${older('node', '4')}`

function nodeJs(config: JobConfig): Language {
  const args = firstText(config.npm_args)
  const npm = (command: string) => line('service_retry npm', command, args)
  const byYarn = [
    when(`! ${finds('yarn')}`, 'service_retry npm install -g yarn'),
    when(older('yarn', '0.19'), 'service_retry yarn', 'service_retry yarn --frozen-lockfile'),
  ]
  const isLocked = `${has('package-lock.json', 'npm-shrinkwrap.json')} && ! ${older('npm', '5.8')}`
  const install = [when(usesYarn, byYarn, [when(isLocked, npm('ci'), npm('install'))])]
  const isPackage = has('package.json')
  return {
    variables: { NPM_CONFIG_PROGRESS: 'false' },
    announce: ['node --version', 'npm --version'],
    install: [when(isPackage, install)],
    script: [when(isPackage, [when(usesYarn, 'yarn test', 'npm test')], 'make test')],
  }
}

/** The tag that the packages at npm have for a version of Elm; they count their own versions differently. */
function elmTag(version: string | undefined): string {
  const plain = version?.trim().replace(/^(?:elm|v)(?=\d)/, '') ?? 'stable'
  if (plain === 'stable' || plain === 'latest') return 'latest-0.19.1'
  return /^\d+\.\d+\.\d+$/.test(plain) ? `latest-${plain}` : plain
}

function elm(config: JobConfig): Language {
  const tag = elmTag(firstText(config.elm))
  const versions = [
    ['elm', tag],
    ['elm-test', firstText(config.elm_test) ?? tag],
    ['elm-format', firstText(config.elm_format) ?? tag],
  ]
  const packages = versions.map(([name, version]) => word(`${name}@${version}`))
  const install = line('service_retry npm install -g', ...packages)
  const isAsked = ['elm', 'elm_test', 'elm_format'].some((key) => firstText(config[key]))
  const areThere = ['elm', 'elm-test', 'elm-format'].map(finds).join(' && ')
  return {
    announce: ['node --version', 'npm --version'],
    install: isAsked ? [{ run: install }] : [when(areThere, [], install)],
    script: [{ run: 'elm-format --validate . && elm-test' }],
  }
}

const noRequirements =
  'There is no requirements.txt, so nothing is installed. Say what to install, for example ' +
  '"install: pip install -e ." in .service.yml.'

const python: Language = {
  variables: { PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_PROGRESS_BAR: 'off' },
  announce: ['python --version', 'pip --version'],
  install: [
    when(has('Requirements.txt'), 'service_retry pip install -r Requirements.txt', [
      when(has('requirements.txt'), 'service_retry pip install -r requirements.txt', [
        { say: 'yellow', text: noRequirements },
      ]),
    ]),
  ],
  script: [noScript('Python', 'pytest')],
}

/** A gemfile that the build file names must be there: without it, bundler fails and says so. */
function ruby(config: JobConfig): Language {
  const named = firstText(config.gemfile)
  const args = firstText(config.bundler_args)
  const gemfile = '"${BUNDLE_GEMFILE:-Gemfile}"'
  const plain = `bundle install ${args ?? '--jobs=3 --retry=3'}`
  const isLocked = `[[ -f ${gemfile} && -f "\${BUNDLE_GEMFILE:-Gemfile}.lock" ]]`
  const isEmpty = '[[ -d vendor/cache ]] && ! builtin compgen -G "vendor/cache/*" >/dev/null'
  const locked = [
    when(isEmpty, 'rm -rf vendor/cache'),
    ...(args === undefined ? deployment : [{ run: plain }]),
  ]
  const ifThere = (command: string, otherwise?: string) =>
    named === undefined ? when(`[[ -f ${gemfile} ]]`, command, otherwise) : { run: command }
  return {
    announce: [
      ...(named === undefined ? [] : [`export BUNDLE_GEMFILE="$PWD"/${word(named)}`]),
      ...['ruby --version', 'bundle --version'],
    ],
    install: [when(isLocked, locked, [ifThere(plain)])],
    script: [ifThere('bundle exec rake', 'rake')],
  }
}

/** Bundler 4 has no option for deployment, only the setting. */
const deployment: readonly ScriptStep[] = [
  when(older('bundle', '4'), 'bundle install --jobs=3 --retry=3 --deployment', [
    { run: 'bundle config set --local deployment true' },
    { run: 'bundle install --jobs=3 --retry=3' },
  ]),
]

/** A condition: the folder that Composer's settings name for programs has PHPUnit. */
const isInBinDir = [
  String.raw`[[ -f composer.json && $(<composer.json) =~ \"bin-dir\"[[:space:]]*:[[:space:]]*\"([^\"]+)\" ]]`,
  '[[ -x ${BASH_REMATCH[1]}/phpunit ]]',
  'COMPOSER_BIN_DIR=${BASH_REMATCH[1]}',
].join(' && ')

const isInComposerBin = `[[ $COMPOSER_BIN_DIR && -x $COMPOSER_BIN_DIR/phpunit ]]`

const php: Language = {
  announce: ['php --version'],
  install: [],
  script: [
    when(`${isInComposerBin} || { ${isInBinDir}; }`, '"$COMPOSER_BIN_DIR/phpunit"', [
      when('[[ -x vendor/bin/phpunit ]]', 'vendor/bin/phpunit', 'phpunit'),
    ]),
  ],
}

const perl: Language = {
  announce: ['perl --version', 'cpanm --version'],
  install: [{ run: 'service_retry cpanm --quiet --installdeps --notest .' }],
  script: [
    when(has('Build.PL'), 'perl Build.PL && ./Build && ./Build test', [
      when(has('Makefile.PL'), 'perl Makefile.PL && make test', 'make test'),
    ]),
  ],
}

/** Newer releases have only `raku`, and tests with an ending of their own. */
const perl6: Language = {
  variables: { PERL6LIB: 'lib', RAKULIB: 'lib' },
  announce: ['raku --version'],
  install: [],
  script: [
    when(
      finds('perl6'),
      'prove --ext .t --ext .t6 -v -r --exec=perl6 t/',
      'prove --ext .t --ext .t6 --ext .rakutest -v -r --exec=raku t/',
    ),
  ],
}

export const scriptingLanguages = {
  elm,
  hack: () => ({ ...php, announce: ['hhvm --version'] }),
  node_js: nodeJs,
  perl: () => perl,
  perl6: () => perl6,
  php: () => php,
  python: () => python,
  ruby,
} satisfies Record<string, LanguageOf>
