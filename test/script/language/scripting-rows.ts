import { type CommandRow, stub } from './command-row.ts'

const npmOfElm = (version: string) =>
  `service_retry npm install -g elm@${version} elm-test@${version} elm-format@${version}`
const elm = { elm: '0.19.1', 'elm-test': '0.19.1', 'elm-format': '0.8.7' }
const proveRaku = 'prove --ext .t --ext .t6 --ext .rakutest -v -r --exec=raku t/'
const bundled = ['bundle install --jobs=3 --retry=3', 'bundle exec rake']

export const scriptingRows: readonly CommandRow[] = [
  ['generic', [], []],

  ['elm', [], ['elm-format --validate . && elm-test'], elm],
  ['elm', [], [npmOfElm('latest-0.19.1')]],
  [
    { language: 'elm', elm: '0.19.0' },
    [],
    [npmOfElm('latest-0.19.0'), 'elm-format --validate . && elm-test'],
    elm,
  ],
  [
    { language: 'elm', elm: 'elm0.18.0', elm_test: '0.18.2' },
    [],
    [
      'service_retry npm install -g elm@latest-0.18.0 elm-test@0.18.2 elm-format@latest-0.18.0',
      'elm-format --validate . && elm-test',
    ],
    elm,
  ],

  ['hack', ['vendor/bin/phpunit'], ['vendor/bin/phpunit']],

  ['node_js', [], ['make test']],
  ['node_js', ['package.json'], ['service_retry npm install', 'npm test']],
  ['node_js', ['package.json', 'package-lock.json'], ['service_retry npm ci', 'npm test']],
  ['node_js', ['package.json', 'npm-shrinkwrap.json'], ['service_retry npm ci', 'npm test']],
  [
    'node_js',
    ['package.json', 'package-lock.json'],
    ['service_retry npm install', 'npm test'],
    { npm: '5.7.1' },
  ],
  [
    'node_js',
    ['package.json', 'yarn.lock'],
    ['service_retry yarn --frozen-lockfile', 'yarn test'],
    { yarn: '1.22.19' },
  ],
  [
    'node_js',
    ['package.json', 'yarn.lock'],
    ['service_retry yarn', 'yarn test'],
    { yarn: '0.18.1' },
  ],
  [
    'node_js',
    ['package.json', 'yarn.lock'],
    ['service_retry npm install', 'npm test'],
    { node: '0.10.48', yarn: '1.22.19' },
  ],
  ['node_js', ['package.json', 'yarn.lock'], ['service_retry npm install -g yarn']],
  [
    { language: 'node_js', npm_args: '--no-audit' },
    ['package.json'],
    ['service_retry npm install --no-audit', 'npm test'],
  ],

  ['perl', [], ['service_retry cpanm --quiet --installdeps --notest .', 'make test']],
  [
    'perl',
    { 'Build.PL': '', 'Makefile.PL': '', Build: stub('') },
    [
      'service_retry cpanm --quiet --installdeps --notest .',
      'perl Build.PL && ./Build && ./Build test',
    ],
  ],
  [
    'perl',
    ['Makefile.PL'],
    ['service_retry cpanm --quiet --installdeps --notest .', 'perl Makefile.PL && make test'],
  ],

  ['perl6', [], [proveRaku]],
  ['perl6', [], ['prove --ext .t --ext .t6 -v -r --exec=perl6 t/'], { perl6: '2019.11' }],

  ['php', [], ['phpunit']],
  ['php', ['vendor/bin/phpunit'], ['vendor/bin/phpunit']],
  [
    { language: 'php', env: ['PATH="$HOME/bin"', 'COMPOSER_BIN_DIR=bin'] },
    ['bin/phpunit', 'vendor/bin/phpunit'],
    ['"$COMPOSER_BIN_DIR/phpunit"'],
  ],
  [
    'php',
    {
      'composer.json': '{\n  "config": { "bin-dir" : "tools" }\n}',
      'tools/phpunit': stub('of tools'),
      'vendor/bin/phpunit': '',
    },
    ['"$COMPOSER_BIN_DIR/phpunit"'],
  ],
  [
    'php',
    { 'composer.json': '{ "config": { "bin-dir": "tools" } }', 'vendor/bin/phpunit': '' },
    ['vendor/bin/phpunit'],
  ],

  ['python', ['requirements.txt'], ['service_retry pip install -r requirements.txt']],
  [
    'python',
    ['Requirements.txt', 'requirements.txt'],
    ['service_retry pip install -r Requirements.txt'],
  ],

  ['ruby', [], ['rake']],
  ['ruby', ['Gemfile'], bundled],
  [
    'ruby',
    ['Gemfile', 'Gemfile.lock'],
    ['bundle install --jobs=3 --retry=3 --deployment', 'bundle exec rake'],
    { bundle: '2.6.9' },
  ],
  [
    'ruby',
    ['Gemfile', 'Gemfile.lock'],
    ['bundle config set --local deployment true', ...bundled],
    { bundle: '4.0.1' },
  ],
  [
    { language: 'ruby', bundler_args: '--local' },
    ['Gemfile', 'Gemfile.lock', 'vendor/cache/.keep'],
    ['rm -rf vendor/cache', 'bundle install --local', 'bundle exec rake'],
  ],
  [
    { language: 'ruby', gemfile: 'gemfiles/a b' },
    [],
    [`export BUNDLE_GEMFILE="$PWD"/'gemfiles/a b'`, ...bundled],
  ],
  [{ language: 'ruby', env: ['PATH="$HOME/bin"', 'BUNDLE_GEMFILE=x'] }, ['x'], bundled],
]
