import { describe, expect, test } from 'vitest'
import { read } from '../reading.ts'

describe('an unknown key that resembles a known key', () => {
  test.each([
    ['ruby: 3.2', { rvm: ['3.2'] }, ['info alias_key {"alias":"ruby","key":"rvm"} :0']],
    [
      'use-bioc: true',
      { bioc_required: true },
      ['info alias_key {"alias":"use-bioc","key":"bioc_required"} :0'],
    ],
    ['" rvm": 3.2', { rvm: ['3.2'] }, ['warn strip_key {"original":" rvm","key":"rvm"} :0']],
    [
      '"\u00a0rvm ": 3.2',
      { rvm: ['3.2'] },
      ['warn strip_key {"original":"\u00a0rvm ","key":"rvm"} :0'],
    ],
    [
      'beforeScript: make',
      { before_script: ['make'] },
      ['info underscore_key {"original":"beforeScript","key":"before_script"} :0'],
    ],
    ['RVM: 3.2', { rvm: ['3.2'] }, ['info underscore_key {"original":"RVM","key":"rvm"} :0']],
    [
      'before script;: make',
      { before_script: ['make'] },
      ['warn clean_key {"original":"before script;","key":"before_script"} :0'],
    ],
    ['scrip: make', { script: ['make'] }, ['warn find_key {"original":"scrip","key":"script"} :0']],
    [
      'rubi: 3.2',
      { rvm: ['3.2'] },
      [
        'warn find_key {"original":"rubi","key":"ruby"} :0',
        'info alias_key {"alias":"ruby","key":"rvm"} :0',
      ],
    ],
    ['rmv: 3.2', { rvm: ['3.2'] }, ['warn find_key {"original":"rmv","key":"rvm"} :0']],
    ['distro: jammy', { dist: 'jammy' }, ['warn find_key {"original":"distro","key":"dist"} :0']],
    [
      'r_binary_pacakges: x',
      { r_binary_packages: ['x'] },
      ['warn find_key {"original":"r_binary_pacakges","key":"r_binary_packages"} :0'],
    ],
    [
      'git: {depht: 3}',
      { git: { depth: 3 } },
      ['warn git find_key {"original":"depht","key":"depth"} :0'],
    ],
    [
      'addons: {sauceConnect: {access-key: $K}}',
      { addons: { sauce_connect: { access_key: '$K' } } },
      [
        'info addons underscore_key {"original":"sauceConnect","key":"sauce_connect"} :0',
        'info addons.sauce_connect underscore_key {"original":"access-key","key":"access_key"} :0',
      ],
    ],
  ])('is corrected: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('an unknown key that resembles no known key', () => {
  test.each([
    ['ab: x', { ab: 'x' }, ['warn unknown_key {"key":"ab","value":"x"} :0']],
    [
      'after_vendor: x',
      { after_vendor: 'x' },
      ['warn unknown_key {"key":"after_vendor","value":"x"} :0'],
    ],
    ['name: x', { name: 'x' }, ['warn unknown_key {"key":"name","value":"x"} :0']],
    ['latx: x', { latx: 'x' }, ['warn unknown_key {"key":"latx","value":"x"} :0']],
    ['elm_tes: x', { elm_tes: 'x' }, ['warn unknown_key {"key":"elm_tes","value":"x"} :0']],
    ['pyhtno: 3', { pyhtno: 3 }, ['warn unknown_key {"key":"pyhtno","value":3} :0']],
    [
      'constructor: x',
      { constructor: 'x' },
      ['warn unknown_key {"key":"constructor","value":"x"} :0'],
    ],
    ['foo: false', { foo: false }, ['warn unknown_key {"key":"foo","value":false} :0']],
    [
      'foo: {secure: YWJj}',
      { foo: { secure: 'YWJj' } },
      ['warn unknown_key {"key":"foo","value":{"secure":"YWJj"}} :0'],
    ],
  ])('is kept: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('a private, internal or empty key', () => {
  test.each([
    ['_mine: x', { _mine: 'x' }, []],
    ['.mine: x', { '.mine': 'x' }, []],
    ['merge_mode: replace', { merge_mode: 'replace' }, []],
    ["foo: ''", { foo: '' }, []],
    ['foo: []', { foo: [] }, []],
    ['foo: ~', {}, []],
    ['.result.: x', {}, []],
    ['parsing_failed: x', {}, []],
  ])('is not reported: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('a key given under two names', () => {
  test.each([
    [
      'rvm: 3.1\nruby: 3.2',
      { rvm: ['3.2'] },
      [
        'info alias_key {"alias":"ruby","key":"rvm"} :1',
        'error overwrite {"key":"ruby","other":"rvm"}',
      ],
    ],
    [
      'rbenv: 3.1\nruby: 3.2',
      { rvm: ['3.2'] },
      [
        'info alias_key {"alias":"rbenv","key":"rvm"} :0',
        'info alias_key {"alias":"ruby","key":"rvm"} :1',
        'error overwrite {"key":"ruby","other":"rvm"}',
      ],
    ],
    [
      'instal: a\ninstall: b',
      { install: ['a'] },
      ['warn find_key {"original":"instal","key":"install"} :0'],
    ],
    [
      'deploy: {provider: puppetforge, user: a, password: $P}',
      { deploy: [{ password: '$P', provider: 'puppetforge', username: 'a' }] },
      [
        'info deploy alias_key {"alias":"user","key":"username","provider":"puppetforge"} :0',
        'error deploy overwrite {"key":"user","other":"username","provider":"puppetforge"} :0',
      ],
    ],
  ])(
    'has the value of the alias or misspelled name, or the last value: %s',
    (text, config, said) => {
      expect(read(text)).toEqual({ config, said })
    },
  )
})
