import { type Random, randomFrom } from './random.ts'

/**
 * Build files such as people write: as many bytes (the half of them below 1 KB, one in a hundred
 * above 11 KB, the largest 120 KB), and the same habits.
 */
export function buildFiles(count: number): string[] {
  const random = randomFrom(count)
  const sizes = Array.from({ length: count - 1 }, () => 1024 * Math.exp(1.02 * random.normal()))
  return [...sizes, largest].map((size, seed) => buildFile(seed, Math.min(size, largest)))
}

const largest = 120 * 1024

/** A file of about this many bytes. */
export function buildFile(seed: number, size: number): string {
  const random = randomFrom(seed)
  const parts = [random.one(heads)(random, 0)]
  let length = parts[0]?.length ?? 0
  const rest = [...sections]
  while (length < size) {
    // A section may be there once; what makes files long are their scripts.
    const [make] = rest.length > 0 ? rest.splice(random.whole(rest.length), 1) : [script]
    const part = make?.(random, parts.length) ?? ''
    parts.push(part)
    length += part.length
  }
  return parts
    .join('\n')
    .slice(0, Math.max(size, 1))
    .replace(/[^\n]*$/, '')
}

type Part = (random: Random, index: number) => string

const versions = (random: Random) =>
  Array.from({ length: 1 + random.whole(4) }, () => `  - "${4 + random.whole(20)}"`).join('\n')

const heads: readonly [Part, ...Part[]] = [
  (random) => `language: node_js\nnode_js:\n${versions(random)}\n`,
  (random) => `language: python\npython:\n${versions(random)}\nsudo: false\n`,
  (random) => `# Built on every push.\nlanguage: ruby\nrvm:\n${versions(random)}\n`,
  () => 'sudo: required\nlanguage: generic\nservices:\n  - docker\n',
]

const words = ['test', 'lint', 'build', 'docs', 'coverage', 'release', 'unit', 'fast'] as const

function command(random: Random): string {
  const [one, two] = [random.one(words), random.one(words)]
  return random.one([
    `npm run ${one} -- --${two}`,
    `if [ "$${one.toUpperCase()}" = "${two}" ]; then make ${one}; fi`,
    `docker run --rm -v "$PWD:/src" example/${one}:latest make ${two} > ${two}.log 2>&1`,
    `curl -sSf https://example.com/${one}.sh | sh -s -- --${two}`,
    `./${one}.sh ${two} # see docs/${one}.md`,
  ])
}

function commands(random: Random, indent: string): string {
  const count = 1 + random.whole(8)
  return Array.from({ length: count }, () => `${indent}- ${quoted(random, command(random))}`).join(
    '\n',
  )
}

const quoted = (random: Random, text: string) =>
  random.next() < 0.3 || text.includes(' #') ? `'${text}'` : text

const secret = (random: Random) =>
  Array.from({ length: 86 }, () => letters.charAt(random.whole(letters.length))).join('')

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const script: Part = (random, index) =>
  `# Step ${index}.\n_step_${index}: &step_${index}\n${commands(random, '  ')}\n`

const sections: readonly Part[] = [
  (random) => `script:\n${commands(random, '  ')}\n`,
  (random) => `before_install:\n${commands(random, '  ')}\n`,
  (random) => `install: |\n  ${command(random)}\n  ${command(random)}\n`,
  (random) => `after_success:\n${commands(random, '  ')}\n`,
  (random) =>
    `env:\n  global:\n    - LEVEL=${random.whole(9)} MODE="${random.one(words)}"\n` +
    `    - secure: "${secret(random)}${secret(random)}=="\n  matrix:\n` +
    `    - TASK=${random.one(words)}\n    - TASK=${random.one(words)} EXTRA=1\n`,
  () => 'cache:\n  directories:\n    - node_modules\n    - $HOME/.cache\n',
  (random) =>
    `matrix:\n  fast_finish: true\n  include:\n    - os: linux\n      env: &env\n        - KIND=${random.one(words)}\n` +
    `    - os: osx\n      osx_image: xcode11\n      env: *env\n  allow_failures:\n    - os: osx\n`,
  () => 'addons:\n  apt:\n    sources: [ubuntu-toolchain-r-test]\n    packages: [g++-7, cmake]\n',
  () => 'branches:\n  only:\n    - master\n    - /^v\\d+\\.\\d+$/\n',
  (random) =>
    `deploy:\n  provider: npm\n  email: someone@example.com\n  skip_cleanup: true\n` +
    `  api_key:\n    secure: ${secret(random)}${secret(random)}==\n  on:\n    tags: true\n`,
  () => 'notifications:\n  email: false\n  slack: example:token\n',
  () => 'git:\n  depth: 3\n',
  () => 'afer_script: date\n',
]
