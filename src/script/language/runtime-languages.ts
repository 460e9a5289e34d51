import { isMap } from '../../domain/config/config-value.ts'
import type { JobConfig } from '../../domain/job/job.ts'
import { firstText } from '../first-text.ts'
import { quote } from '../shell/bash.ts'
import type { ScriptStep } from '../steps.ts'
import {
  finds,
  has,
  type Language,
  type LanguageOf,
  line,
  noScript,
  older,
  textsOf,
  when,
} from './language.ts'

const usesRebar = has('rebar.config', 'Rebar.config')

/** The line for the rebar that there is: one in the repository, then rebar3, then the old one. */
function byRebar(old: (rebar: string) => string, rebar3: (rebar: string) => string): ScriptStep {
  const onlyOld = `! ${finds('rebar3')} && ${finds('rebar')}`
  return when(has('rebar'), old('./rebar'), [
    when(has('rebar3'), rebar3('./rebar3'), [when(onlyOld, old('rebar'), rebar3('rebar3'))]),
  ])
}

const rebarDependencies = (rebar: string) => `service_retry ${rebar} get-deps`
const rebarTest = (rebar: string) => `${rebar} compile && ${rebar} skip_deps=true eunit`

const erlang: Language = {
  announce: [],
  install: [when(usesRebar, [byRebar(rebarDependencies, rebarDependencies)])],
  script: [when(usesRebar, [byRebar(rebarTest, (rebar) => `${rebar} eunit`)], 'make test')],
}

const elixir: Language = {
  announce: ['elixir --version'],
  install: [
    when(
      older('elixir', '1.3', `-e 'IO.puts System.version'`),
      [],
      'service_retry mix local.rebar --force',
    ),
    { run: 'service_retry mix local.hex --force' },
    { run: 'service_retry mix deps.get' },
  ],
  script: [{ run: 'mix test' }],
}

/** What a task of Dart runs: the programs before Dart 3, and from then on. */
const dartTasks = {
  test: ['pub', 'pub run test', 'dart test'],
  dartanalyzer: ['dartanalyzer', 'dartanalyzer', 'dart analyze'],
  dartfmt: [
    'dartfmt',
    'dartfmt -n --set-exit-if-changed .',
    'dart format --output=none --set-exit-if-changed .',
  ],
} as const

type DartTask = keyof typeof dartTasks

/** The task of a job with its arguments; undefined if the build file names none. */
function dartTask({ dart_task }: JobConfig): [DartTask, string | undefined] | undefined {
  const task: unknown = [dart_task].flat()[0]
  const tasks = ['test', 'dartanalyzer', 'dartfmt'] as const
  const name = tasks.find((each) => task === each || (isMap(task) && each in task))
  if (name === undefined) return undefined
  const args = isMap(task) && name !== 'dartfmt' ? firstText(task[name]) : undefined
  const byDefault = name === 'dartanalyzer' ? '.' : undefined
  return [name, args === undefined || args === 'true' ? byDefault : args]
}

function dart(config: JobConfig): Language {
  const asked = dartTask(config)
  const [name, args] = asked ?? ['test', undefined]
  const [program, old, now] = dartTasks[name]
  const run = when(finds(program), line(old, args), line(now, args))
  const hasTests = String.raw`[[ -f pubspec.yaml && $(<pubspec.yaml) =~ $'\n'[[:blank:]]+test: ]]`
  return {
    announce: ['dart --version'],
    install: [
      when(has('pubspec.yaml'), [
        when(finds('pub'), 'service_retry pub get', 'service_retry dart pub get'),
      ]),
    ],
    script: asked
      ? [run]
      : [when(hasTests, [run], [noScript('Dart without the package "test"', 'dart test')])],
  }
}

const julia: Language = {
  announce: ['julia --version'],
  install: [],
  script: [
    {
      run: `julia --project=@. --check-bounds=yes --color=yes -e 'using Pkg; Pkg.build(); Pkg.test(coverage=true)'`,
    },
  ],
}

const vector = (texts: readonly string[]) =>
  `c(${texts.map((text) => JSON.stringify(text)).join(', ')})`

const noDescription =
  'There is no DESCRIPTION, so no dependencies are installed. Say what to install with "install" in .service.yml.'

function r(config: JobConfig): Language {
  const cran = firstText(config.cran) ?? 'https://cloud.r-project.org'
  const run = (code: string) => {
    const text = `options(repos = c(CRAN = ${JSON.stringify(cran)})); ${code}`
    return { run: `service_retry Rscript -e ${quote(text)}` }
  }
  /** R only warns of packages that it cannot install. */
  const installed = (install: string, packages: readonly string[], args = '') =>
    run(`p <- ${vector(packages)}; ${install}(p${args}); for (each in p) loadNamespace(each)`)
  const declared = [...textsOf(config.r_packages), ...textsOf(config.r_binary_packages)]
  const [bioc, codehost] = [textsOf(config.bioc_packages), textsOf(config.r_codehost_packages)]
  const check = line('R CMD check *.tar.gz', firstText(config.r_check_args) ?? '--as-cran')
  const test = [
    { run: line('R CMD build', firstText(config.r_build_args), '.') },
    // The manual is made with LaTeX.
    when(finds('pdflatex'), check, `${check} --no-manual`),
  ]
  const manager = bioc.length > 0 ? ['BiocManager'] : []
  return {
    variables: { _R_CHECK_CRAN_INCOMING_: 'false', NOT_CRAN: 'true' },
    announce: ['R --version'],
    install: [
      installed('install.packages', ['remotes', ...manager, ...declared]),
      ...(bioc.length > 0 ? [installed('BiocManager::install', bioc, ', ask = FALSE')] : []),
      ...(codehost.length > 0 ? [run(`remotes::install_github(${vector(codehost)})`)] : []),
      when(
        has('DESCRIPTION'),
        [run('remotes::install_deps(dependencies = TRUE)')],
        [{ say: 'yellow', text: noDescription }],
      ),
    ],
    script: [when(has('DESCRIPTION'), test, [noScript('R without DESCRIPTION', 'Rscript test.R')])],
  }
}

/** The languages whose programs run on a runtime of their own. */
export const runtimeLanguages = {
  dart,
  elixir: () => elixir,
  erlang: () => erlang,
  julia: () => julia,
  r,
} satisfies Record<string, LanguageOf>
