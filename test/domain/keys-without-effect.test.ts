import { expect, test } from 'vitest'
import { rootType } from '../../src/buildfile/schema/load.ts'
import { effectNotes, keysWithoutEffect } from '../../src/domain/job/keys-without-effect.ts'

/**
 * The sources of jobs, builds and messages; versions of languages are looked up, or reported as
 * unknown.
 */
const actedUpon = new Set([
  // Each add-on is tested separately, see below.
  'addons',
  ...['language', 'os', 'arch', 'import', 'env', 'compiler', 'stages', 'jobs', 'notifications'],
  ...[
    'version',
    'conditions',
    'branches',
    'if',
    'before_install',
    'install',
    'before_script',
    'script',
  ],
  ...['before_cache', 'after_success', 'after_failure', 'after_script', 'npm_args', 'bundler_args'],
  ...[
    'go_import_path',
    'virtualenv',
    'git',
    'jdk',
    'crystal',
    'dotnet',
    'mono',
    'd',
    'dart',
    'elixir',
  ],
  ...[
    'otp_release',
    'elm',
    'node_js',
    'go',
    'hhvm',
    'php',
    'ghc',
    'haxe',
    'julia',
    'matlab',
    'nix',
  ],
  ...['perl', 'perl6', 'python', 'r', 'rvm', 'rust', 'scala', 'smalltalk'],
  ...[
    'dart_task',
    'elm_format',
    'elm_test',
    'gemfile',
    'gobuild_args',
    'hxml',
    'sbt_args',
    'solution',
    'cran',
    'r_build_args',
    'r_check_args',
    'bioc_packages',
    'r_binary_packages',
    'r_codehost_packages',
    'r_packages',
  ],
])

function keysOf(type: ReturnType<typeof rootType>): string[] {
  return type.kind === 'map' ? Object.keys(type.keys) : []
}

test('each key of a build file has an effect, or is reported as having none', () => {
  const root = rootType()
  const told = (key: string) => keysWithoutEffect({ [key]: 'x' }).length > 0
  const keys = keysOf(root)
  expect(keys.length).toBeGreaterThan(100)
  expect(keys.filter((key) => told(key) === actedUpon.has(key))).toEqual([])
  expect([...actedUpon].filter((key) => !keys.includes(key))).toEqual([])
})

test('each key of the section git has an effect, or is reported as having none', () => {
  const root = rootType()
  const git = root.kind === 'map' ? root.keys.git : undefined
  const told = (git ? keysOf(git) : []).filter(
    (key) => keysWithoutEffect({ git: { [key]: 'x' } }).length > 0,
  )
  expect(told).toEqual(['strategy'])
})

test('each add-on without effect is reported, in containers only if it has none there', () => {
  const root = rootType()
  const addons = root.kind === 'map' ? root.keys.addons : undefined
  const names = addons ? keysOf(addons) : []
  const notes = (name: string, inContainer: boolean) =>
    effectNotes({ addons: { [name]: 'x' } }, [], { inContainer })
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => notes(name, false).length !== 1)).toEqual([])
  expect(names.filter((name) => notes(name, true).length === 0)).toEqual([
    ...['apt', 'apt_packages', 'chrome', 'hostname', 'hosts', 'ssh_known_hosts'],
    ...['mariadb', 'postgresql', 'rethinkdb'],
  ])
})

test.each(['services', 'cache', 'deploy', 'workspaces', 'dist', 'virt', 'group', 'composer_args'])(
  'the key %s is reported unless it has its default or no value',
  (key) => {
    const note = [expect.stringContaining(`The key "${key}" has no effect in this service: `)]
    const onMachine = { inContainer: false }
    expect(effectNotes({ [key]: 'x' }, [], onMachine)).toEqual(note)
    expect(effectNotes({ [key]: 'x' }, [key], onMachine)).toEqual([])
    expect(effectNotes({ [key]: [] }, [], onMachine)).toEqual([])
  },
)

test('in a container, dist and sudo have an effect', () => {
  const config = { dist: 'jammy', sudo: true, group: 'edge' }
  expect(effectNotes(config, [], { inContainer: true })).toEqual([
    expect.stringContaining('The key "group" has no effect'),
  ])
})
