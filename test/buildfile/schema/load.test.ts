import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { rootType } from '../../../src/buildfile/schema/load.ts'
import type { Type } from '../../../src/buildfile/schema/values/type.ts'
import { writeTable } from '../../../src/buildfile/schema/write-table.ts'
import { readSchemaFiles } from '../../../src/service/contexts.ts'

/** The type at a path: a name is a key, `[]` an entry, a number one of several forms. */
function typeAt(...path: (string | number)[]): Type {
  return path.reduce<Type>((type, step) => {
    const child = childOf(type, step)
    if (!child) throw new Error(`there is no ${step} in a type of kind ${type.kind}`)
    return child
  }, rootType())
}

function childOf(type: Type, step: string | number): Type | undefined {
  if (typeof step === 'number') return type.kind === 'any' ? type.of[step] : undefined
  if (step === '[]') return type.kind === 'seq' ? type.of : undefined
  return type.kind === 'map' ? type.keys[step] : undefined
}

/** The values of a type, each with its other names. */
function valuesAt(...path: (string | number)[]) {
  const type = typeAt(...path)
  const values = 'values' in type ? (type.values ?? []) : []
  return values.map(({ value, aliases }) => (aliases ? `${value} = ${aliases.join()}` : value))
}

test('the table is up to date with `npm run docs`', () => {
  const table = new URL('../../../src/buildfile/schema/table.ts', import.meta.url)
  expect(readFileSync(table, 'utf8')).toBe(writeTable(readSchemaFiles()))
})

describe('the root type', () => {
  test('is the same object each time, and so are types below it', () => {
    expect(rootType()).toBe(rootType())
    expect(typeAt('jobs', 0, 'include')).toBe(typeAt('jobs', 0, 'include'))
  })

  test('has general keys first, then those of languages, then those of any job', () => {
    const root = rootType()
    const keys = root.kind === 'map' ? Object.keys(root.keys) : []
    expect(keys).toHaveLength(117)
    expect(keys.slice(0, 4)).toEqual(['language', 'os', 'dist', 'arch'])
    expect(keys.slice(20, 23)).toEqual(['keep_netrc', 'jdk', 'android'])
    expect(keys.slice(-3)).toEqual(['before_deploy', 'after_deploy', 'after_script'])
  })

  test('has no keys of JavaScript objects', () => {
    expect(childOf(rootType(), 'constructor')).toBeUndefined()
    expect(childOf(rootType(), '__proto__')).toBeUndefined()
  })

  test('gives the defaults of a key to its forms and entries', () => {
    const defaults = [
      { value: 'linux', except: { language: ['objective-c'] } },
      { value: 'osx', only: { language: ['objective-c'] } },
    ]
    expect(typeAt('os')).toMatchObject({ kind: 'any', expands: true, defaults })
    expect(typeAt('os', 0)).toMatchObject({ kind: 'seq', preferred: true, defaults })
    expect(typeAt('os', 0, '[]')).toMatchObject({ kind: 'str', lowercase: true, defaults })
    expect(typeAt('addons', 'sbom', 0, 'run_phase')).toMatchObject({
      defaults: [{ value: 'after_success' }],
    })
  })
})

describe('a job entry', () => {
  const entry = ['jobs', 0, 'include', 0, '[]'] as const

  test('has single values for keys with several values at the root', () => {
    const only = { language: ['elm', 'node_js'] }
    expect(typeAt('node_js')).toMatchObject({ kind: 'any', aliases: ['node'], expands: true, only })
    expect(typeAt(...entry, 'node_js')).toEqual({ kind: 'str', aliases: ['node'], only })
    expect(typeAt(...entry, 'dart_task')).toMatchObject({ kind: 'map', strict: true })
    expect(typeAt(...entry, 'smalltalk_vm')).toMatchObject({ kind: 'any', expands: false })
  })

  test('has other keys for each list', () => {
    const lists = ['include', 'exclude', 'allow_failures'].map((list) => {
      const type = typeAt('jobs', 0, list, 0, '[]')
      const keys = type.kind === 'map' ? Object.keys(type.keys) : []
      return keys.filter((key) => ['allow_failure', 'vault', 'branch'].includes(key))
    })
    expect(lists).toEqual([['allow_failure', 'vault'], [], ['branch']])
  })
})

describe('a deployment', () => {
  test('is detected by its provider', () => {
    expect(typeAt('deploy', 0, '[]')).toMatchObject({ kind: 'any', detectBy: 'provider' })
  })

  test('has its own keys before the common keys', () => {
    const cargo = typeAt('deploy', 0, '[]', 5, 0)
    expect(cargo).toMatchObject({
      kind: 'map',
      strict: true,
      required: ['provider'],
      shorthand: { key: 'provider', only: ['str'] },
      preferred: true,
    })
    expect(cargo.kind === 'map' && Object.keys(cargo.keys)).toEqual(
      'token allow_dirty provider on run allow_failure cleanup skip_cleanup edge'.split(' '),
    )
    expect(typeAt('deploy', 0, '[]', 5, 0, 'provider')).toEqual({
      kind: 'str',
      values: [{ value: 'cargo' }],
    })
  })
})

describe('the values of', () => {
  test.each<[string, (string | number)[], (string | boolean)[]]>([
    [
      'os',
      ['os', 1],
      [
        'linux = ubuntu',
        'osx = mac,macos,macosx,ios',
        'windows = win',
        'freebsd = bsd',
        'linux-ppc64le',
      ],
    ],
    [
      'dist',
      ['dist'],
      'trusty precise xenial bionic focal jammy noble server-2016 rhel8'.split(' '),
    ],
    [
      'arch',
      ['arch', 1],
      [
        'amd64 = x86_64,x64',
        'ppc64le = power,ppc,ppc64',
        'i386 = x86',
        'arm64',
        'arm64-graviton2',
        's390x',
      ],
    ],
    [
      'services',
      ['services', 1],
      [
        'memcached = memcache',
        'postgresql = postgres',
        'rabbitmq = rabbitmq-server',
        'redis = redis-server',
        ...'xvfb cassandra couchdb docker elasticsearch mongodb mysql neo4j riak'.split(' '),
        'cri-dockerd',
      ],
    ],
    [
      'language',
      ['language'],
      [
        'cpp = c++',
        'go = golang',
        'java = jvm',
        'node_js = javascript,js,node',
        'objective-c = objective_c,swift',
        'shell = bash,minimal,sh',
        ...'__connie__ __amethyst__ __garnet__ __stevonnie__ __opal__ __sardonyx__'.split(' '),
        ...'__onion__ __cookiecat__ android c clojure crystal csharp d dart elixir elm'.split(' '),
        ...'erlang generic groovy hack haskell haxe julia matlab nix perl perl6 php'.split(' '),
        ...'python r ruby rust scala smalltalk'.split(' '),
      ],
    ],
    [
      'stack',
      ['stack'],
      'connie amethyst garnet stevonnie opal sardonyx onion cookiecat'.split(' '),
    ],
    ['virt', ['virt'], ['lxd', 'vm']],
    ['conditions', ['conditions'], ['v0', 'v1']],
    ['vm.size', ['vm', 'size'], 'medium large x-large 2x-large gpu-medium gpu-xlarge'.split(' ')],
    ['git.strategy', ['git', 'strategy'], ['clone', 'tarball']],
    ['git.autocrlf', ['git', 'autocrlf', 0], [true, false]],
    ['git.autocrlf as text', ['git', 'autocrlf', 1], ['input']],
    ['cache as switch', ['cache', 1], [false]],
    [
      'import.mode',
      ['import', 0, '[]', 0, 'mode'],
      'merge deep_merge deep_merge_append deep_merge_prepend'.split(' '),
    ],
    [
      'notifications.on_success',
      ['notifications', 0, 'on_success'],
      ['always = true', 'never = false', 'change = changed'],
    ],
    [
      'notifications.hipchat.format',
      ['notifications', 0, 'hipchat', 1, 0, 'format'],
      ['html', 'text'],
    ],
    ['addons.chrome', ['addons', 'chrome'], ['stable', 'beta']],
    [
      'addons.sbom.run_phase',
      ['addons', 'sbom', 0, 'run_phase'],
      'before_script script after_success after_failure'.split(' '),
    ],
    [
      'addons.sbom.output_format',
      ['addons', 'sbom', 0, 'output_format'],
      'cyclonedx-json cyclonedx-xml spdx-json'.split(' '),
    ],
  ])('%s', (_key, path, values) => {
    expect(valuesAt(...path)).toEqual(values)
  })

  test('providers', () => {
    const providers = typeAt('deploy', 1)
    const names = (providers.kind === 'any' ? providers.of : []).flatMap((form) =>
      form.kind === 'any' && form.of[1]?.kind === 'str' ? (form.of[1].values ?? []) : [],
    )
    expect(names.map(({ value }) => value)).toEqual([
      ...'anynines azure_web_apps bintray bluemixcloudfoundry boxfuse cargo'.split(' '),
      ...'chef_supermarket cloud66 cloudfiles cloudformation cloudfoundry codedeploy'.split(' '),
      ...'convox datica ecr elasticbeanstalk engineyard firebase flynn gae gcs git_push'.split(' '),
      ...'gleis hackage hephy heroku lambda launchpad netlify npm nuget openshift'.split(' '),
      ...'opsworks packagecloud pages puppetforge pypi releases rubygems s3 scalingo'.split(' '),
      ...'script snap surge testfairy transifex'.split(' '),
    ])
  })
})
