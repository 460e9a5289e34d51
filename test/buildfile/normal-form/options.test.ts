import { expect, test } from 'vitest'
import { readBuildFile } from '../../../src/buildfile/read-build-file.ts'
import { read } from '../reading.ts'

test('without `alert`, secrets in plain text are not reported', () => {
  expect(read('addons: {code_climate: plain}', { alert: false }).said).toEqual([])
})

test('without `defaults`, nothing is filled in', () => {
  const { config, messages } = readBuildFile('os: osx\ndist:\ndeploy: {provider: heroku}', {
    defaults: false,
  })
  expect({ config, messages }).toEqual({
    config: { os: ['osx'], deploy: [{ provider: 'heroku' }] },
    messages: [],
  })
})

test('with `empty`, empty maps and sequences are reported', () => {
  expect(
    read('script: []\ngit: {quiet: ~}\naddons: {apt: {packages: []}}', { empty: true }),
  ).toEqual({
    config: { script: [], addons: { apt: { packages: [] } } },
    said: [
      'warn script empty {"key":"script"} :0',
      'warn git empty {"key":"git"} :1',
      'warn addons.apt.packages empty {"key":"addons.apt.packages"} :2',
    ],
  })
})

test('without `fix`, only aliases are replaced', () => {
  const text = 'scrip: make\nlanguage: Rubi\nruby: 3\nos: mac\ncache: bundel\nbeforeScript: x'
  expect(read(text, { fix: false })).toEqual({
    config: {
      scrip: 'make',
      language: 'Rubi',
      rvm: ['3'],
      os: ['osx'],
      cache: { directories: ['bundel'] },
      beforeScript: 'x',
    },
    said: [
      'info alias_key {"alias":"ruby","key":"rvm"} :2',
      'info os alias_value {"alias":"mac","value":"osx"} :3',
      'error language unknown_value {"value":"Rubi"} :1',
      'warn unknown_key {"key":"scrip","value":"make"} :0',
      'warn unknown_key {"key":"beforeScript","value":"x"} :5',
    ],
  })
})

test('without `line`, messages have no line', () => {
  expect(read('git: {depht: 3}\nfoo: x', { line: false }).said).toEqual([
    'warn git find_key {"original":"depht","key":"depth"}',
    'warn unknown_key {"key":"foo","value":"x"}',
  ])
})

test('with `support`, keys and values for another language, os or dist are reported', () => {
  const text =
    'language: python\nos: [linux, osx]\ndist: focal\nrvm: 3\narch: amd64\nservices: xvfb\n' +
    'jobs: {include: [{language: ruby, rvm: 2, python: 3}, {os: windows, dist: jammy}]}'
  expect(read(text, { support: true }).said).toEqual([
    'warn dist unsupported {"on_key":"os","on_value":"osx","key":"dist","value":"focal"} :2',
    'warn services unsupported {"on_key":"dist","on_value":"focal","key":"services","value":"xvfb"} :5',
    'warn jobs.include unsupported {"on_key":"language","on_value":"ruby","key":"python","value":"3"} :6',
    'warn jobs.include.dist unsupported {"on_key":"os","on_value":"windows","key":"dist","value":"jammy"} :6',
    'warn unsupported {"on_key":"language","on_value":"python","key":"rvm","value":["3"]} :3',
    'warn unsupported {"on_key":"os","on_value":"osx","key":"arch","value":["amd64"]} :4',
  ])
  expect(read('language: objective-c\nos: linux', { support: true }).said).toEqual([
    'warn os unsupported {"on_key":"language","on_value":"objective-c","key":"os","value":"linux"} :1',
  ])
})

test('with `drop`, invalid values are left out', () => {
  const text =
    'foo: 1\n_mine: 1\nif: x =\nsudo: foo\nscript: [{a: b}, c]\nstages: [{name: a, if: x =}, b]\n' +
    'deploy: {bucket: x}\ngit: {quiet: x, depth: 3, foo: 1}\nenv: 3\nservices: [docker, teapot]\n' +
    'addons: {code_climate: 3}'
  expect(read(text, { drop: true }).config).toEqual({
    _mine: 1,
    if: 'x =',
    script: ['c'],
    stages: [{ name: 'b' }],
    deploy: [],
    git: { depth: 3 },
    services: ['docker'],
  })
})
