import { describe, expect, test } from 'vitest'
import { choose, filesFor, imageOf } from './chosen-image.ts'

describe('version files', () => {
  test.each<[language: string, files: Record<string, string>, image: string]>([
    ['node_js', { '.nvmrc': 'v18.20.1\n' }, 'node:18.20.1'],
    ['node_js', { '.nvmrc': '# ours\n\n  lts/Iron  # the old one\n22\n' }, 'node:iron'],
    ['node_js', { '.nvmrc': '20', '.node-version': '22' }, 'node:20'],
    ['node_js', { '.node-version': '22.1.0\r\n' }, 'node:22.1.0'],
    ['node_js', { '.nvmrc': '\n', '.node-version': '22' }, 'node:22'],
    ['node_js', { '.nvmrc': 'system' }, 'node:24'],
    ['node_js', { '.nvmrc': '>=18' }, 'none'],
    ['node_js', { '.nvmrc': '18`id`' }, 'none'],
    ['node_js', { '.tool-versions': 'ruby 3.3.0\nnodejs 20.11.0 system\n' }, 'node:20.11.0'],
    ['node_js', { '.tool-versions': 'ruby 3.3.0' }, 'node:24'],
    ['node_js', { '.ruby-version': '3.3.0', 'package.json': '{}' }, 'node:24'],
    ['python', { '.python-version': '3.12.1\n3.11.0\n' }, 'python:3.12.1'],
    ['python', { '.python-version': 'pypy3.10-7.3.12' }, 'pypy:3.10'],
    ['python', { '.tool-versions': 'python 3.12.1' }, 'python:3.12.1'],
    ['ruby', { '.ruby-version': 'ruby-3.2.2\n' }, 'ruby:3.2.2'],
    ['ruby', { '.ruby-version': '3.2.2@site' }, 'ruby:3.2.2'],
    ['ruby', { '.ruby-version': 'jruby-9.4.5.0' }, 'jruby:9.4.5.0-jdk'],
    ['ruby', { '.ruby-version': 'truffleruby-24.0' }, 'none'],
    ['go', { 'go.mod': 'module x\n\ngo 1.18\n\ntoolchain go1.22.1\n' }, 'golang:1.27'],
    ['go', { 'go.mod': 'module x\ngo 1.28.1 // new\n' }, 'golang:1.28.1'],
    ['go', { 'go.mod': 'module x\n', '.tool-versions': 'golang 1.21.3' }, 'golang:1.21.3'],
    ['rust', { 'rust-toolchain': '1.70.0\n' }, 'rust:1.70.0'],
    ['rust', { 'rust-toolchain': '[toolchain]\nchannel = "1.71"\n' }, 'rust:1.71'],
    ['rust', { 'rust-toolchain': 'stable-x86_64-unknown-linux-gnu' }, 'rust:1'],
    ['rust', { 'rust-toolchain.toml': "[toolchain]\n  channel = '1.72.0'\n" }, 'rust:1.72.0'],
    ['rust', { 'rust-toolchain.toml': '1.72.0', 'rust-toolchain': '1.70.0' }, 'rust:1.70.0'],
    ['java', { '.tool-versions': 'java temurin-17.0.9+9' }, 'maven:3-eclipse-temurin-17'],
    ['elixir', { '.tool-versions': 'elixir 1.15.7-otp-26' }, 'elixir:1.15.7-otp-26'],
    ['haskell', { '.tool-versions': 'ghc 9.4.8' }, 'haskell:9.4.8'],
    ['crystal', { '.tool-versions': 'crystal 1.9.2' }, 'crystallang/crystal:1.9.2'],
  ])('of %s: %j is %s', (language, files, image) => {
    expect(imageOf({ language }, { files })).toBe(image)
  })

  test('count only if the build file requests no version', () => {
    const files = { '.nvmrc': '20', '.ruby-version': '3.3.0' }
    expect(imageOf({ language: 'node_js', node_js: '18' }, { files })).toBe('node:18')
    expect(imageOf({ language: 'ruby', rvm: 'default' }, { files })).toBe('ruby:3.3.0')
    expect(imageOf({ language: 'ruby', rvm: '' }, { files })).toBe('ruby:3.3.0')
  })

  test('are named in the message about a missing image', () => {
    expect(choose({ language: 'node_js' }, { files: { '.nvmrc': '>=18' } })).toEqual({
      lacks:
        '.nvmrc asks for ">=18", which no official image of language "node_js" has: ask for a version such ' +
        'as "24", or have an administrator add "node_js" to the setting IMAGES.',
    })
  })
})

describe('the files that an image depends on', () => {
  test.each<[title: string, config: Record<string, unknown>, files: string[]]>([
    [
      'are its version files',
      { language: 'node_js' },
      ['.nvmrc', '.node-version', '.tool-versions'],
    ],
    ['are none if the build file requests a version', { language: 'node_js', node_js: '18' }, []],
    [
      'are version files of Rust',
      { language: 'rust' },
      ['rust-toolchain.toml', 'rust-toolchain', '.tool-versions'],
    ],
    [
      'are files of Gradle',
      { language: 'java', jdk: '17' },
      ['gradlew', 'build.gradle', 'build.gradle.kts'],
    ],
    ['are none without a language', { language: 'generic' }, []],
    ['are none for a compiler', { language: 'c' }, []],
  ])('%s', (_title, config, files) => {
    expect(filesFor(config)).toEqual(files)
  })

  test("are none if the operator's image does not depend on a version", () => {
    const images = 'node_js: ours/node:1\njava: ours/java:{version}'
    expect(filesFor({ language: 'node_js' }, { images })).toEqual([])
    expect(filesFor({ language: 'java' }, { images })).toEqual(['.tool-versions'])
  })
})

describe('a build tool', () => {
  test.each<[language: string, jdk: string, files: string[], image: string]>([
    ['java', '17', ['build.gradle'], 'gradle:8-jdk17'],
    ['groovy', '21', ['build.gradle.kts'], 'gradle:8-jdk21'],
    ['java', '17', ['build.gradle', 'gradlew'], 'maven:3-eclipse-temurin-17'],
    ['java', '18', ['build.gradle'], 'maven:3-eclipse-temurin-18'],
    ['java', '9', ['build.gradle'], 'openjdk:9-jdk'],
    ['scala', '21', ['build.gradle'], 'gradle:8-jdk21'],
    ['scala', '25', ['build.sbt'], 'sbtscala/scala-sbt:eclipse-temurin-25_36_1.11.7_3.7.3'],
    ['scala', '24', ['build.sbt'], 'maven:3-eclipse-temurin-24'],
  ])('for %s with jdk %s and %j is in %s', (language, jdk, names, image) => {
    const files = Object.fromEntries(names.map((name) => [name, '']))
    expect(imageOf({ language, jdk }, { files })).toBe(image)
  })
})
