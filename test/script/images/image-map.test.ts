import { describe, expect, test } from 'vitest'
import { readImageMap } from '../../../src/script/images/image-map.ts'
import { choose, imageOf } from './chosen-image.ts'

const digest = `sha256:${'0a'.repeat(32)}`

describe('an image of the operator', () => {
  test.each<[images: string, config: Record<string, unknown>, image: string]>([
    ['node_js: ours/node:{version}', { node_js: 'v18.x' }, 'ours/node:18'],
    ['node_js: ours/node:{version}', { node_js: 'lts/*' }, 'ours/node:lts'],
    ['node_js: ours/node:{version}', { node_js: 'nightly' }, 'ours/node:nightly'],
    ['node_js: ours/node:{version}', {}, 'ours/node:24'],
    [
      'node_js: r.example:5000/ci/node-{version}:2',
      { node_js: '18' },
      'r.example:5000/ci/node-18:2',
    ],
    ['node_js: localhost/node', { node_js: '18; rm' }, 'localhost/node'],
    [`node_js: ours/node@${digest}`, { node_js: '18' }, `ours/node@${digest}`],
    ['ruby: ours/ruby:{version}', { language: 'ruby', rvm: 'jruby-9.4' }, 'ours/ruby:jruby-9.4'],
    ['ruby: ours/ruby:{version}', { language: 'ruby', rvm: 'ruby-head' }, 'ours/ruby:ruby-head'],
    ['python: ours/py:{version}', { language: 'python', python: 'pypy3.9' }, 'ours/py:pypy3.9'],
    ['java: ours/jdk:{version}', { language: 'java', jdk: 'openjdk11' }, 'ours/jdk:11'],
    ['java: ours/jdk:{version}', { language: 'java', jdk: 'eclipse17' }, 'ours/jdk:semeru-17'],
    ['android: ours/sdk:{version}', { language: 'android', jdk: 'oraclejdk8' }, 'ours/sdk:8'],
    [
      'elixir: ours/elixir:{version}',
      { language: 'elixir', elixir: '1.15', otp_release: '26.1' },
      'ours/elixir:1.15-otp-26',
    ],
    ['csharp: ours/net:{version}', { language: 'csharp', mono: '6.8' }, 'ours/net:mono-6.8'],
    ['csharp: ours/net:{version}', { language: 'csharp', dotnet: '8.0' }, 'ours/net:8.0'],
    ['c: ours/c:{version}', { language: 'c', compiler: 'gcc' }, 'ours/c:gcc'],
    ['cpp: ours/c:{version}', { language: 'cpp', compiler: 'clang++-15' }, 'ours/c:clang-15'],
    ['smalltalk: ours/pharo', { language: 'smalltalk', smalltalk: 'Pharo-9' }, 'ours/pharo'],
    ['dist: {rhel8: rockylinux:8}', { language: 'generic', dist: 'rhel8' }, 'rockylinux:8'],
    ['dist: {focal: ours/focal}', { language: 'generic', dist: 'noble' }, 'buildpack-deps:noble'],
    ['default: ours/base', { language: 'generic' }, 'ours/base'],
    ['default: ours/base', { language: 'generic', dist: 'focal' }, 'buildpack-deps:focal'],
    ['default: ours/base', { node_js: '18' }, 'node:18'],
    ['default: ours/base', { language: 'smalltalk' }, 'none'],
    ['', { node_js: '18' }, 'node:18'],
    ['# nothing yet\n', { node_js: '18' }, 'node:18'],
  ])('%s: %j runs in %s', (images, config, image) => {
    expect(imageOf({ language: 'node_js', ...config }, { images })).toBe(image)
  })

  test.each(['18; rm', '18/x', '@sha256:0', '-18', '1'.repeat(200)])(
    'rejects the version %s, which cannot be part of an image name',
    (node_js) => {
      const images = 'node_js: ours/node:{version}'
      expect(choose({ language: 'node_js', node_js }, { images })).toEqual({
        lacks:
          `.service.yml asks for "node_js: ${node_js.slice(0, 100)}", which cannot be part of the name of an ` +
          'image: ask for a version such as "24".',
      })
    },
  )
})

describe('the rows of repositories', () => {
  const images = `
node_js: {image: "general/node:{version}", pull: always}
ruby: general/ruby
default: general/base
pull: never
repositories:
  acme/legacy-*:
    ruby: legacy/ruby:1
    dist: {focal: legacy/focal}
  acme/*:
    ruby: acme/ruby:1
    default: acme/base
    pull: missing
  "*/site": {ruby: other/ruby}
`
  test.each<[slug: string, config: Record<string, unknown>, image: string, pull: string]>([
    ['acme/site', { language: 'ruby' }, 'acme/ruby:1', 'missing'],
    ['ACME/Legacy-1', { language: 'ruby' }, 'legacy/ruby:1', 'never'],
    ['acme/legacy-1', { language: 'generic' }, 'general/base', 'never'],
    ['acme/legacy-1', { language: 'generic', dist: 'focal' }, 'legacy/focal', 'never'],
    ['acme/site', { language: 'generic' }, 'acme/base', 'missing'],
    ['acme/site', { language: 'node_js', node_js: '18' }, 'general/node:18', 'always'],
    ['acme/site', { language: 'go', go: '1.22' }, 'golang:1.22', 'missing'],
    ['octo/site', { language: 'ruby' }, 'other/ruby', 'never'],
    ['octo/site2', { language: 'ruby' }, 'general/ruby', 'never'],
    ['notacme/x', { language: 'ruby' }, 'general/ruby', 'never'],
  ])('%s: %j runs in %s, pulled if %s', (slug, config, image, pull) => {
    expect(choose(config, { images, slug })).toMatchObject({ image, pull })
  })
})

const name =
  'the name of an image: write one such as registry.example/node:18 or registry.example/node:{version}'

describe('a map that cannot be read', () => {
  test.each<[text: string, message: string]>([
    ['- node', 'line 1: The root of the file must be a mapping'],
    ['node_js: [a', 'line 1: '],
    ['\nnode: ours/node', 'line 2: "node" is another name of a language: write "node_js"'],
    ['swift: ours/swift', 'line 1: "swift" is another name of a language: write "objective-c"'],
    ['generic: ours/base', 'line 1: language "generic" has no image of its own'],
    ['shell: ours/base', 'line 1: language "shell" has no image of its own'],
    [
      'pul: always',
      'line 1: there is no language or key "pul": write one of dist, default, services, pull, ',
    ],
    ['toString: a', 'line 1: there is no language or key "toString": write one of '],
    ['ruby: a\nruby: b', 'line 2: "ruby" is duplicated: remove one of them'],
    ['pull: sometimes', 'line 1: "pull" must be one of missing, always, never'],
    ['pull:', 'line 1: "pull" must be one of missing, always, never'],
    ['ruby: 3', `line 1: "ruby" must be ${name}`],
    ['ruby:', `line 1: "ruby" must be ${name}`],
    ['ruby: [a, b]', `line 1: "ruby" must be ${name}`],
    ['ruby: {secure: abc}', `line 1: "ruby" must be ${name}`],
    ['ruby: ours/Ruby:3', `line 1: "ours/Ruby:3" is not ${name}`],
    ['ruby: "ours/ruby:3 "', `line 1: "ours/ruby:3 " is not ${name}`],
    ['ruby: https://ours/ruby', `line 1: "https://ours/ruby" is not ${name}`],
    ['ruby: ours/ruby:-3', `line 1: "ours/ruby:-3" is not ${name}`],
    ['ruby: ours/ruby@sha256:1', `line 1: "ours/ruby@sha256:1" is not ${name}`],
    ['ruby: ours/{tag}', `line 1: "ours/{tag}" is not ${name}`],
    ['ruby: r{version}.example/x', `line 1: "r{version}.example/x" is not ${name}`],
    ['ruby: {pull: never}', 'line 1: "ruby" has no image: add a line "image: NAME"'],
    [
      'ruby:\n  image: a\n  tag: b',
      'line 3: there is no key "tag" here: "ruby" has "image" and "pull"',
    ],
    ['ruby:\n  image: a\n  pull: no', 'line 3: "pull" must be one of missing, always, never'],
    ['default: a:{version}', 'line 1: the image of "default" cannot contain {version}'],
    ['dist: {focal: "a:{version}"}', 'line 1: the image of "focal" cannot contain {version}'],
    ['dist: focal', 'line 1: "dist" must be a mapping of distributions, each with an image'],
    ['dist: {debian: a}', 'line 1: there is no dist "debian": write one of precise, trusty, '],
    [
      'repositories: [acme/x]',
      'line 1: "repositories" must be a mapping of patterns such as "acme/*"',
    ],
    [
      'repositories: {acme: {ruby: a}}',
      'line 1: "acme" is not a pattern of repositories: write OWNER/NAME',
    ],
    [
      'repositories:\n  acme/x: a',
      'line 2: "acme/x" must be a mapping of rows such as "node_js: IMAGE"',
    ],
    ['repositories:\n  a/b:\n    rubi: c', 'line 3: there is no language or key "rubi"'],
    ['repositories: {a/b: {repositories: {}}}', 'line 1: "repositories" cannot be in the rows of'],
    ['repositories: {a/b: {}, a/b: {}}', 'line 1: "a/b" is duplicated: remove one of them'],
  ])('%j: %s', (text, message) => {
    expect(() => readImageMap(text)).toThrow(message)
  })
})
