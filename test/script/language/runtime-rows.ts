import { type CommandRow, stub } from './command-row.ts'

const withTests = { 'pubspec.yaml': 'name: x\ndev_dependencies:\n  test: ^1.0.0\n' }
const pubGet = 'service_retry dart pub get'
const rebarOld = ['service_retry rebar get-deps', 'rebar compile && rebar skip_deps=true eunit']
const rScript = (code: string) =>
  `service_retry Rscript -e 'options(repos = c(CRAN = "https://cloud.r-project.org")); ${code}'`
const rInstall = (packages: string) =>
  rScript(`p <- c(${packages}); install.packages(p); for (each in p) loadNamespace(each)`)
const rDependencies = rScript('remotes::install_deps(dependencies = TRUE)')

export const runtimeRows: readonly CommandRow[] = [
  ['dart', withTests, [pubGet, 'dart test']],
  ['dart', withTests, ['service_retry pub get', 'pub run test'], { pub: '2.7.2' }],
  [
    { language: 'dart', dart_task: { test: '-p vm' } },
    ['pubspec.yaml'],
    [pubGet, 'dart test -p vm'],
  ],
  [{ language: 'dart', dart_task: 'dartanalyzer' }, [], ['dart analyze .']],
  [
    { language: 'dart', dart_task: { dartfmt: true } },
    [],
    ['dart format --output=none --set-exit-if-changed .'],
  ],
  [
    { language: 'dart', dart_task: { dartanalyzer: 'lib' } },
    [],
    ['dartanalyzer lib'],
    { dartanalyzer: '2.7.2' },
  ],

  [
    'elixir',
    [],
    [
      ...['service_retry mix local.rebar --force', 'service_retry mix local.hex --force'],
      ...['service_retry mix deps.get', 'mix test'],
    ],
  ],
  [
    'elixir',
    [],
    ['service_retry mix local.hex --force', 'service_retry mix deps.get', 'mix test'],
    { elixir: '1.2.6' },
  ],

  ['erlang', [], ['make test']],
  ['erlang', ['rebar.config'], ['service_retry rebar3 get-deps', 'rebar3 eunit'], { rebar3: '3' }],
  ['erlang', ['Rebar.config'], rebarOld, { rebar: '2' }],
  [
    'erlang',
    ['rebar.config'],
    ['service_retry rebar3 get-deps', 'rebar3 eunit'],
    { rebar: '2', rebar3: '3' },
  ],
  [
    'erlang',
    { 'rebar.config': '', rebar: stub('') },
    rebarOld.map((line) => line.replaceAll('rebar ', './rebar ')),
    { rebar3: '3' },
  ],
  [
    'erlang',
    { 'rebar.config': '', rebar3: stub('') },
    ['service_retry ./rebar3 get-deps', './rebar3 eunit'],
  ],

  [
    'julia',
    [],
    [
      `julia --project=@. --check-bounds=yes --color=yes -e 'using Pkg; Pkg.build(); Pkg.test(coverage=true)'`,
    ],
  ],

  [
    'r',
    ['DESCRIPTION'],
    [
      ...[rInstall('"remotes"'), rDependencies, 'R CMD build .'],
      'R CMD check *.tar.gz --as-cran --no-manual',
    ],
  ],
  [
    { language: 'r', r_build_args: '--no-build-vignettes', r_check_args: '--no-tests' },
    ['DESCRIPTION'],
    [
      ...[rInstall('"remotes"'), rDependencies, 'R CMD build --no-build-vignettes .'],
      'R CMD check *.tar.gz --no-tests',
    ],
    { pdflatex: '3' },
  ],
  [
    {
      language: 'r',
      r_packages: ['a', "b'c"],
      bioc_packages: 'd',
      r_codehost_packages: ['o/e'],
      script: 'skip',
    },
    [],
    [
      rInstall(String.raw`"remotes", "BiocManager", "a", "b'\''c"`),
      rScript(
        'p <- c("d"); BiocManager::install(p, ask = FALSE); for (each in p) loadNamespace(each)',
      ),
      rScript('remotes::install_github(c("o/e"))'),
    ],
  ],
]
