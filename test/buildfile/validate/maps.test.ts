import { describe, expect, test } from 'vitest'
import { read } from '../reading.ts'

describe('a required key', () => {
  test.each([
    [
      'addons: {coverity_scan: {project: {version: 1}}}',
      { addons: { coverity_scan: { project: { version: '1' } } } },
      ['error addons.coverity_scan.project required {"key":"name"} :0'],
    ],
    [
      'vault: {}',
      {},
      ['error vault required {"key":"api_url"} :0', 'error vault required {"key":"token"} :0'],
    ],
    [
      'notifications: {webhooks: {urls: [{msteams: true}]}}',
      { notifications: { webhooks: [{ urls: [{ msteams: true }] }] } },
      ['error notifications.webhooks.urls required {"key":"url"} :0'],
    ],
  ])('is reported when it is missing: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('a duplicate name', () => {
  test.each([
    [
      'jobs: {include: [{name: a}, {name: b}, {name: a}, {name: b}, {name: c}]}',
      {
        jobs: {
          include: [{ name: 'a' }, { name: 'b' }, { name: 'a' }, { name: 'b' }, { name: 'c' }],
        },
      },
      ['info jobs.include duplicate {"values":"name: a, b"} :0'],
    ],
    [
      'jobs: {exclude: [{name: a}, {name: a}], allow_failures: [{name: a}]}',
      { jobs: { exclude: [{ name: 'a' }, { name: 'a' }], allow_failures: [{ name: 'a' }] } },
      ['info jobs.exclude duplicate {"values":"name: a"} :0'],
    ],
    [
      'vm: {create: {name: a}}\njobs: {include: [{vm: {create: {name: b}}}, {vm: {create: {name: a}}}]}',
      {
        vm: { create: { name: 'a' } },
        jobs: { include: [{ vm: { create: { name: 'b' } } }, { vm: { create: { name: 'a' } } }] },
      },
      ['error jobs.include.vm.create duplicate {"values":["a","b"]} :1'],
    ],
  ])('is reported: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('a duplicate key', () => {
  test.each([
    [
      'rvm: 1\njobs: {include: [{rvm: 1, rvm: 2}]}\nrvm: 2',
      { rvm: ['2'], jobs: { include: [{ rvm: '2' }] } },
      ['error jobs.include duplicate_key {"key":"rvm"} :1', 'error duplicate_key {"key":"rvm"}'],
    ],
    [
      'env: {global: {secure: YWJj, secure: YWJk}}',
      { env: { global: [{ secure: 'YWJk' }] } },
      ['error env.global.secure duplicate_key {"key":"secure"} :0'],
    ],
  ])('is reported from the inside out: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('an empty value', () => {
  test.each([
    ['addons: {apt: }', {}, []],
    ['addons: []', {}, []],
    ["branches: ''", {}, []],
    ['jobs: {include: [{}, ~, {script: a}]}', { jobs: { include: [{ script: ['a'] }] } }, []],
    ['git: {quiet: ~}', {}, []],
  ])('is left out: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('an empty value instead of a list or string', () => {
  test.each([
    ['script: []', { script: [] }, []],
    ["rvm: ''", { rvm: [''] }, []],
    ["group: ''", { group: '' }, []],
  ])('is kept: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('the path of a message', () => {
  test.each([
    [
      'jobs: {include: [{jobs: 1}]}',
      { jobs: { include: [{ jobs: 1 }] } },
      ['warn jobs.include unknown_key {"key":"jobs","value":1} :0'],
    ],
    [
      'jobs: {jobs: [{env: {A: {b: c}}}]}',
      { jobs: { include: [{ env: [{ A: { b: 'c' } }] }] } },
      [
        'info jobs alias_key {"alias":"jobs","key":"include"} :0',
        'error jobs.include.env.A invalid_type {"expected":"str","actual":"map","value":{"b":"c"}} :0',
      ],
    ],
    [
      'env: {env: {b: c}}',
      { env: { jobs: [{ env: { b: 'c' } }] } },
      ['error env.jobs invalid_type {"expected":"str","actual":"map","value":{"b":"c"}} :0'],
    ],
  ])('has no name twice in a row: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})
