import type { JobConfig } from '../../domain/job/job.ts'
import { firstText } from '../first-text.ts'
import type { ScriptStep } from '../steps.ts'

/** The defaults of a language for keys that the user did not write. */
export interface Language {
  /** Environment variables that it sets. */
  variables?: Readonly<Record<string, string>>
  /** Lines that print the versions in use. */
  announce: readonly string[]
  install: readonly ScriptStep[]
  script: readonly ScriptStep[]
}

const when = (condition: string, run: string, no: readonly ScriptStep[] = []): ScriptStep => ({
  when: condition,
  yes: [{ run }],
  no,
})

export const generic: Language = {
  announce: [],
  install: [],
  script: [
    { say: 'yellow', text: '.service.yml has no script, so nothing is tested.' },
    { pass: true },
  ],
}

function nodeJs(config: JobConfig): Language {
  const npmArgs = firstText(config.npm_args)
  const npm = (command: string) => `service_retry ${[command, npmArgs ?? []].flat().join(' ')}`
  const lock = '[[ -f package-lock.json || -f npm-shrinkwrap.json ]]'
  const byNpm = [when(lock, npm('npm ci'), [{ run: npm('npm install') }])]
  const install = [when('[[ -f yarn.lock ]]', 'service_retry yarn --frozen-lockfile', byNpm)]
  const script = [when('[[ -f yarn.lock ]]', 'yarn test', [{ run: 'npm test' }])]
  const isPackage = '[[ -f package.json ]]'
  return {
    announce: ['node --version', 'npm --version'],
    install: [{ when: isPackage, yes: install, no: [] }],
    script: [{ when: isPackage, yes: script, no: [{ run: 'make test' }] }],
  }
}

const python: Language = {
  announce: ['python --version', 'pip --version'],
  install: [
    when('[[ -f requirements.txt ]]', 'service_retry pip install -r requirements.txt', [
      when('[[ -f Requirements.txt ]]', 'service_retry pip install -r Requirements.txt'),
    ]),
  ],
  script: [
    {
      fail: 'Python has no script by default. Say how to test, for example "script: pytest" in .service.yml.',
    },
  ],
}

function ruby(config: JobConfig): Language {
  const args = firstText(config.bundler_args)
  const gemfile = '"${BUNDLE_GEMFILE:-Gemfile}"'
  const plain = `bundle install ${args ?? '--jobs=3 --retry=3'}`
  const locked = `bundle install ${args ?? '--jobs=3 --retry=3 --deployment'}`
  const hasLock = `[[ -f ${gemfile} && -f "\${BUNDLE_GEMFILE:-Gemfile}.lock" ]]`
  return {
    announce: ['ruby --version', 'bundle --version'],
    install: [when(hasLock, locked, [when(`[[ -f ${gemfile} ]]`, plain)])],
    script: [when(`[[ -f ${gemfile} ]]`, 'bundle exec rake', [{ run: 'rake' }])],
  }
}

const hasMakefile = '[[ -f GNUmakefile || -f Makefile || -f makefile || -f BSDmakefile ]]'

const go: Language = {
  announce: ['go version'],
  install: [{ when: hasMakefile, yes: [], no: [{ run: 'service_retry go get -v -t ./...' }] }],
  script: [when(hasMakefile, 'make', [{ run: 'go test -v ./...' }])],
}

/** The first of the build tools that the repository has a file for. */
function byTool(gradle: string, maven: string, otherwise: readonly ScriptStep[]): ScriptStep[] {
  const hasGradle = '[[ -f build.gradle || -f build.gradle.kts ]]'
  const byMaven = [
    when('[[ -f mvnw ]]', `./mvnw ${maven}`, [when('[[ -f pom.xml ]]', `mvn ${maven}`, otherwise)]),
  ]
  return [
    when('[[ -f gradlew ]]', `./gradlew ${gradle}`, [when(hasGradle, `gradle ${gradle}`, byMaven)]),
  ]
}

const java: Language = {
  announce: ['java -version', 'javac -version'],
  install: byTool('assemble', 'install -DskipTests=true -Dmaven.javadoc.skip=true -B -V', []),
  script: byTool('check', 'test -B', [{ run: 'ant test' }]),
}

const phpunit = '"${COMPOSER_BIN_DIR:-vendor/bin}/phpunit"'

const php: Language = {
  announce: ['php --version'],
  install: [],
  script: [when(`[[ -x ${phpunit} ]]`, phpunit, [{ run: 'phpunit' }])],
}

const rust: Language = {
  announce: ['rustc --version', 'cargo --version'],
  install: [],
  script: [{ run: 'cargo build --verbose' }, { run: 'cargo test --verbose' }],
}

function compiled(byDefault: string, config: JobConfig, names: (compiler: string) => Variables) {
  const compiler = firstText(config.compiler) ?? byDefault
  const variables: Variables = { ...names(compiler), SERVICE_COMPILER: compiler }
  return {
    variables,
    announce: [`${variables.CXX ?? variables.CC ?? compiler} --version`],
    install: [],
    script: [{ run: './configure && make && make test' }],
  }
}

type Variables = Record<string, string>

const compilerOfC = (compiler: string): Variables => ({ CC: compiler })

/** `compiler: clang` means `clang++` for C++, and `clang` for C code in the same project. */
const compilersOfCpp = (compiler: string): Variables => ({
  CXX: compiler.replace(/^gcc/, 'g++').replace(/^clang(?!\+)/, 'clang++'),
  CC: compiler.replace(/^g\+\+/, 'gcc').replace(/^clang\+\+/, 'clang'),
})

/** The languages with defaults, by their names in a job's config. */
export const languages: Readonly<Record<string, (config: JobConfig) => Language>> = {
  generic: () => generic,
  node_js: nodeJs,
  python: () => python,
  ruby,
  go: () => go,
  java: () => java,
  php: () => php,
  rust: () => rust,
  c: (config) => compiled('gcc', config, compilerOfC),
  cpp: (config) => compiled('g++', config, compilersOfCpp),
}

/** The languages with defaults and their commands, as Markdown for the guide to build files. */
export function languagesTable(): string {
  const rows = Object.entries(languages).map(([name, languageOf]) => {
    const { install, script } = languageOf({})
    return `| \`${name}\` | ${cell(install)} | ${cell(script)} |`
  })
  return ['| Language | `install` | `script` |', '|---|---|---|', ...rows].join('\n')
}

function cell(steps: readonly ScriptStep[]): string {
  const lines = commandsIn(steps).map((line) => `\`${line}\``)
  return lines.length > 0 ? lines.join(', ') : '–'
}

function commandsIn(steps: readonly ScriptStep[]): string[] {
  return steps.flatMap((step) => {
    if ('run' in step) return [step.run]
    return 'when' in step ? [...commandsIn(step.yes), ...commandsIn(step.no)] : []
  })
}
