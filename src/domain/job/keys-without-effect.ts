import { isMap } from '../config/config-value.ts'
import type { Job, JobConfig } from './job.ts'

const noMachine = 'a job cannot choose its kind of machine'
const noCommands = 'no default command of this version uses it'
const noAddons = 'this add-on is not installed'
const onlyInContainers = 'outside of containers, this add-on is not installed'
const noPackages = 'no packages are installed by default'

/**
 * The consequence of each key that this version reads but does not act upon (D42). A key in a section is
 * preceded by the section. `test/domain/keys-without-effect.test.ts` checks that no key is missing.
 */
const effects: Readonly<Record<string, string>> = {
  ...ofAddons(noAddons, ['artifacts', 'browserstack', 'code_climate', 'coverity_scan']),
  ...ofAddons(noAddons, ['deploy', 'firefox', 'homebrew', 'jwt', 'pkg', 'sauce_connect', 'sbom']),
  ...ofAddons(noAddons, ['snaps', 'sonarcloud', 'srcclr']),
  ...ofAddons(onlyInContainers, ['apt', 'apt_packages', 'chrome', 'hostname', 'hosts', 'mariadb']),
  ...ofAddons(onlyInContainers, ['postgresql', 'rethinkdb', 'ssh_known_hosts']),
  after_deploy: 'nothing is deployed',
  before_deploy: 'nothing is deployed',
  cache: 'nothing is cached',
  deploy: 'nothing is deployed',
  dist: 'outside of containers, jobs run on the distribution of the runner’s machine',
  filter_secrets: 'secrets are always masked',
  'git.strategy': 'the commit is always fetched with git',
  group: 'jobs run on whichever runner is free',
  keep_netrc: 'jobs get no .netrc',
  keys: 'no keys are added',
  osx_image: noMachine,
  perforce_test_path: noCommands,
  services: 'outside of containers, no services are started',
  stack: noMachine,
  sudo: 'jobs have rights of root in containers, and none elsewhere',
  trace: 'jobs are not traced',
  vault: 'no secrets are fetched',
  virt: noMachine,
  vm: 'jobs get the memory and processors that the operator allows',
  workspaces: 'no files are passed between jobs',
  ...ofLanguages(noCommands, [
    ...['android', 'gimme_config', 'lein', 'neko', 'podfile', 'smalltalk_config', 'smalltalk_edge'],
    ...['smalltalk_vm', 'with_content_shell', 'xcode_destination', 'xcode_project'],
    ...['xcode_scheme', 'xcode_sdk', 'xcode_workspace', 'xctool_args', 'bioc', 'bioc_check'],
    ...['bioc_required', 'bioc_use_devel', 'disable_homebrew', 'latex', 'pandoc'],
    ...['pandoc_version', 'r_check_revdep', 'remotes', 'repos'],
    ...['warnings_are_errors'],
  ]),
  ...ofLanguages(noPackages, ['apt_packages', 'brew_packages', 'composer_args']),
}

function ofLanguages(effect: string, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, effect]))
}

function ofAddons(effect: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`addons.${name}`, effect]))
}

export interface KeyWithoutEffect {
  key: string
  path: readonly string[]
  /** The consequence, in a few words. */
  effect: string
}

/** The table by the first key of each path. */
const rowsBySection = new Map<string, KeyWithoutEffect[]>()
for (const [key, effect] of Object.entries(effects)) {
  const path = key.split('.')
  const [section = ''] = path
  rowsBySection.set(section, [...(rowsBySection.get(section) ?? []), { key, path, effect }])
}

/** The keys of a job, or of another section of a build file, that this version does not act upon. */
export function keysWithoutEffect(config: JobConfig): KeyWithoutEffect[] {
  return Object.keys(config).flatMap((section) =>
    (rowsBySection.get(section) ?? []).filter(({ path }) => isUsed(valueAt(config, path))),
  )
}

/** The keys of a job that only have their defaults; if unknown, all keys that have a default. */
export function assumedOf({ origin }: Pick<Job, 'origin'>): readonly string[] {
  return origin.assumed ?? ['language', 'os', 'arch', 'dist']
}

/** Keys that choose the image of a container, ask for what every job has there, or have an effect only there. */
const effectiveInContainers = [
  ...['dist', 'sudo', 'services'],
  ...Object.keys(effects).filter((key) => effects[key] === onlyInContainers),
]

/** A sentence for each key without effect that a job's file sets; assumed defaults are left out. */
export function effectNotes(
  config: JobConfig,
  assumed: readonly string[],
  { inContainer }: { inContainer: boolean },
): string[] {
  const others = inContainer ? [...assumed, ...effectiveInContainers] : assumed
  return keysWithoutEffect(config)
    .filter(({ key }) => !others.includes(key))
    .map(({ key, effect }) => `The key "${key}" has no effect in this service: ${effect}.`)
}

function valueAt(config: JobConfig, path: readonly string[]): unknown {
  let value: unknown = config
  for (const key of path) value = isMap(value) ? value[key] : undefined
  return value
}

function isUsed(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

const usual: Readonly<Record<string, readonly string[]>> = { os: ['linux'], arch: ['amd64'] }

/** The values of `os` and `arch` for which there may be no runner (D52), each with its consequence. */
export function machineEffects(config: JobConfig): { text: string; path: string[] }[] {
  const systems = textsOf(config.os)
  // With a system other than Linux, `arch` has no effect.
  const keys = systems.length === 0 || systems.includes('linux') ? ['os', 'arch'] : ['os']
  return keys.flatMap((key) =>
    textsOf(config[key])
      .filter((value) => !usual[key]?.includes(value))
      .map((value) => ({
        text:
          `"${key}: ${value}" needs a runner on such a machine: by default its jobs end with an ` +
          'error where this service has none',
        path: [key],
      })),
  )
}

function textsOf(value: unknown): string[] {
  return [value].flat().filter((each) => typeof each === 'string')
}

/** The keys without effect, as Markdown for the guide to build files. */
export function effectsTable(): string {
  const rows = Object.entries(effects)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, effect]) => `| \`${key}\` | ${effect} |`)
  return ['| Key | What follows |', '|---|---|', ...rows].join('\n')
}
