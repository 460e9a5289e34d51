import { describe, expect, test } from 'vitest'
import { choose, imageOf } from './chosen-image.ts'

describe('the image of a requested version', () => {
  test.each<[language: string, key: string, value: unknown, image: string]>([
    ['node_js', 'node_js', '18', 'node:18'],
    ['node_js', 'node_js', 18, 'node:18'],
    ['node_js', 'node_js', ['20', '22'], 'node:20'],
    ['node_js', 'node_js', ' V8.11 ', 'node:8.11'],
    ['node_js', 'node_js', '10.15.3', 'node:10.15.3'],
    ['node_js', 'node_js', '16.x', 'node:16'],
    ['node_js', 'node_js', '8.9.x', 'node:8.9'],
    ['node_js', 'node_js', 'node', 'node:latest'],
    ['node_js', 'node_js', 'stable', 'node:latest'],
    ['node_js', 'node_js', 'current', 'node:latest'],
    ['node_js', 'node_js', 'lts/*', 'node:lts'],
    ['node_js', 'node_js', '--lts', 'node:lts'],
    ['node_js', 'node_js', 'lts/Carbon', 'node:carbon'],
    ['node_js', 'node_js', 'default', 'node:24'],
    ['javascript', 'node_js', '18', 'node:18'],
    ['node_js', 'node_js', 'lts/nothing', 'none'],
    ['node_js', 'node_js', 'iojs-v3', 'none'],
    ['node_js', 'node_js', 'nightly', 'none'],
    ['node_js', 'node_js', '>=14', 'none'],
    ['node_js', 'node_js', '18-alpine', 'none'],
    ['node_js', 'node_js', '18; rm -rf ~', 'none'],
    ['node_js', 'node_js', '18@sha256:0', 'none'],
    ['node_js', 'node_js', '../evil', 'none'],
    ['node_js', 'node_js', `18rc${'1'.repeat(300)}`, 'none'],
    ['elm', 'node_js', '12', 'node:12'],
    ['elm', 'elm', '0.19.0', 'node:24'],
    ['python', 'python', '3.10', 'python:3.10'],
    ['python', 'python', '2.7.14', 'python:2.7.14'],
    ['python', 'python', 'python3.6', 'python:3.6'],
    ['python', 'python', '3.7-dev', 'python:3.7'],
    ['python', 'python', '3.15-dev', 'python:3.15-rc'],
    ['python', 'python', '3.15.0b1', 'python:3.15.0b1'],
    ['python', 'python', 'nightly', 'python:3.15-rc'],
    ['python', 'python', 'pypy', 'pypy:2.7'],
    ['python', 'python', 'pypy-5.4.1', 'pypy:2.7'],
    ['python', 'python', 'pypy2.7-6.0', 'pypy:2.7'],
    ['python', 'python', 'pypy3', 'pypy:3'],
    ['python', 'python', 'pypy3.9-7.3.x', 'pypy:3.9'],
    ['python', 'python', '2.7_with_system_site_packages', 'none'],
    ['ruby', 'rvm', '2.5.3', 'ruby:2.5.3'],
    ['ruby', 'rvm', 'ruby-3.2', 'ruby:3.2'],
    ['ruby', 'rvm', '2.0.0-p648', 'ruby:2.0.0'],
    ['ruby', 'rvm', '3.3@site', 'ruby:3.3'],
    ['ruby', 'rvm', '4.1.0-preview1', 'ruby:4.1.0-preview1'],
    ['ruby', 'rvm', 'jruby', 'jruby:jdk'],
    ['ruby', 'rvm', 'jruby-9.4', 'jruby:9.4-jdk'],
    ['ruby', 'rvm', 'jruby-9.2.5.0', 'jruby:9.2.5.0-jdk'],
    ['ruby', 'rvm', 'system', 'ruby:4.0'],
    ['ruby', 'rvm', 'ruby-head', 'none'],
    ['ruby', 'rvm', 'jruby-head', 'none'],
    ['ruby', 'rvm', 'truffleruby', 'none'],
    ['ruby', 'rvm', 'rbx-3', 'none'],
    ['ruby', 'rvm', 'ree', 'none'],
    ['go', 'go', '1.11.x', 'golang:1.11'],
    ['go', 'go', '1.20.0', 'golang:1.20'],
    ['go', 'go', '1.20.4', 'golang:1.20.4'],
    ['go', 'go', '1.21.0', 'golang:1.21.0'],
    ['go', 'go', '1.x', 'golang:1'],
    ['go', 'go', 'stable', 'golang:1'],
    ['go', 'go', 'go1', 'golang:1'],
    ['go', 'go', 'go1.22', 'golang:1.22'],
    ['golang', 'go', 'tip', 'golang:tip'],
    ['go', 'go', 'master', 'golang:tip'],
    ['go', 'go', 'oldstable', 'none'],
    ['rust', 'rust', 'stable', 'rust:1'],
    ['rust', 'rust', '1.33.0', 'rust:1.33.0'],
    ['rust', 'rust', 'nightly', 'rust:1'],
    ['rust', 'rust', 'nightly-2019-01-15', 'rust:1'],
    ['rust', 'rust', 'beta', 'rust:1'],
    ['php', 'php', '7.4', 'php:7.4'],
    ['php', 'php', '7.4snapshot', 'php:7.4'],
    ['php', 'php', '8.5.0RC1', 'php:8.5.0RC1'],
    ['php', 'php', 'nightly', 'php:8.6-rc'],
    ['php', 'php', 'hhvm-3.24', 'none'],
    ['java', 'jdk', 'openjdk11', 'maven:3-eclipse-temurin-11'],
    ['java', 'jdk', 'oraclejdk8', 'maven:3-eclipse-temurin-8'],
    ['jvm', 'jdk', 'temurin25', 'maven:3-eclipse-temurin-25'],
    ['java', 'jdk', '1.8', 'maven:3-eclipse-temurin-8'],
    ['java', 'jdk', 17, 'maven:3-eclipse-temurin-17'],
    ['java', 'jdk', 'openjdk7', 'openjdk:7-jdk'],
    ['java', 'jdk', 'oraclejdk9', 'openjdk:9-jdk'],
    ['java', 'jdk', 'openjdk16', 'openjdk:16-jdk'],
    ['java', 'jdk', 'eclipse17', 'ibm-semeru-runtimes:open-17-jdk'],
    ['java', 'jdk', 'semeru21', 'ibm-semeru-runtimes:open-21-jdk'],
    ['java', 'jdk', '8u402-b06', 'eclipse-temurin:8u402-b06-jdk'],
    ['java', 'jdk', '17.0.9+9', 'eclipse-temurin:17.0.9_9-jdk'],
    ['java', 'jdk', '8u402', 'none'],
    ['java', 'jdk', 'openjdk6', 'none'],
    ['java', 'jdk', 'openjdk-ea', 'none'],
    ['groovy', 'jdk', 'openjdk8', 'maven:3-eclipse-temurin-8'],
    ['scala', 'jdk', 'openjdk11', 'maven:3-eclipse-temurin-11'],
    ['clojure', 'jdk', 'openjdk11', 'clojure:temurin-11-lein'],
    ['clojure', 'jdk', 'openjdk9', 'none'],
    ['android', 'jdk', 'oraclejdk8', 'none'],
    ['elixir', 'elixir', '1.8.1', 'elixir:1.8.1'],
    ['elixir', 'elixir', '1.15-otp-26', 'elixir:1.15-otp-26'],
    ['elixir', 'elixir', '1', 'none'],
    ['elixir', 'elixir', 'master', 'none'],
    ['elixir', 'otp_release', '25.3', 'elixir:1.20-otp-25'],
    ['erlang', 'otp_release', '21.2.5', 'erlang:21.2.5'],
    ['erlang', 'otp_release', 'R16B03', 'none'],
    ['erlang', 'otp_release', '16.1', 'none'],
    ['haskell', 'ghc', 'ghc-9.4', 'haskell:9.4'],
    ['haskell', 'ghc', '7', 'haskell:7'],
    ['haskell', 'ghc', '7.6.3', 'none'],
    ['haskell', 'ghc', 'head', 'none'],
    ['perl', 'perl', '5.1', 'perl:5.10'],
    ['perl', 'perl', 5.2, 'perl:5.20'],
    ['perl', 'perl', '5.30', 'perl:5.30'],
    ['perl', 'perl', '5.22-shrplib', 'perl:5.22'],
    ['perl', 'perl', '5.24-thr', 'perl:5.24-threaded'],
    ['perl', 'perl', 'blead', 'none'],
    ['perl6', 'perl6', '2020.01', 'rakudo-star:2020.01'],
    ['perl6', 'perl6', 'latest', 'rakudo-star:latest'],
    ['r', 'r', '3.5.2', 'r-base:3.5.2'],
    ['r', 'r', '3.5', 'rocker/r-ver:3.5'],
    ['r', 'r', 'release', 'r-base:latest'],
    ['r', 'r', 'devel', 'rocker/r-ver:devel'],
    ['r', 'r', 'oldrel', 'rocker/r-ver:4.5'],
    ['r', 'r', 'bioc-devel', 'none'],
    ['r', 'r', '4.x', 'none'],
    ['julia', 'julia', '0.7', 'julia:0.7'],
    ['julia', 'julia', 'nightly', 'none'],
    ['dart', 'dart', '2.19.0', 'dart:2.19.0'],
    ['dart', 'dart', 2, 'dart:2'],
    ['dart', 'dart', 'beta', 'dart:beta'],
    ['dart', 'dart', '2.2.0', 'none'],
    ['dart', 'dart', 'dev', 'none'],
    ['c', 'compiler', 'gcc-13', 'gcc:13'],
    ['c++', 'compiler', 'g++-8', 'gcc:8'],
    ['cpp', 'compiler', 'clang-15', 'silkeh/clang:15'],
    ['cpp', 'compiler', 'clang++', 'silkeh/clang:21'],
    ['c', 'compiler', 'gcc', 'buildpack-deps:noble'],
    ['c', 'compiler', ': #GHC 7.6.1', 'buildpack-deps:noble'],
    ['csharp', 'mono', '5.10.0', 'mono:5.10.0'],
    ['csharp', 'mono', 'latest', 'mono:6.12'],
    ['csharp', 'mono', 'nightly', 'none'],
    ['csharp', 'mono', 'none', 'mcr.microsoft.com/dotnet/sdk:10.0'],
    ['csharp', 'dotnet', '8.0', 'mcr.microsoft.com/dotnet/sdk:8.0'],
    ['csharp', 'dotnet', 8, 'mcr.microsoft.com/dotnet/sdk:8.0'],
    ['haxe', 'haxe', '3.4.7', 'haxe:3.4.7'],
    ['haxe', 'haxe', 'stable', 'haxe:latest'],
    ['haxe', 'haxe', 'development', 'none'],
    ['crystal', 'crystal', 'nightly', 'crystallang/crystal:nightly'],
    ['crystal', 'crystal', 'stable', 'crystallang/crystal:latest'],
    ['nix', 'nix', '2.3.6', 'nixos/nix:2.3.6'],
    ['d', 'd', 'dmd-2.083.1', 'dlang2/dmd-ubuntu:2.083.1'],
    ['d', 'd', 'ldc-1.12.0', 'dlang2/ldc-ubuntu:1.12.0'],
    ['d', 'd', 'gdc', 'none'],
    ['hack', 'hhvm', '4.1', 'none'],
    ['smalltalk', 'smalltalk', 'Pharo64-8.0', 'none'],
  ])('language %s with "%s: %s" is %s', (language, key, value, image) => {
    expect(imageOf({ language, [key]: value })).toBe(image)
  })

  test('depends on the version of Elixir and the major version of OTP', () => {
    const language = 'elixir'
    expect(imageOf({ language, elixir: '1.8.1', otp_release: '21.2.5' })).toBe(
      'elixir:1.8.1-otp-21',
    )
    expect(choose({ language, elixir: '1.4', otp_release: 'R16B03' })).toEqual({
      lacks:
        '.service.yml asks for "elixir: 1.4, otp_release: R16B03", which no official image of language ' +
        '"elixir" has: ask for a version such as "1.20", or have an administrator add "elixir" to the ' +
        'setting IMAGES.',
    })
  })
})

describe('the image of a language without a version', () => {
  test.each<[language: string, image: string]>([
    ['node_js', 'node:24'],
    ['python', 'python:3.14'],
    ['ruby', 'ruby:4.0'],
    ['go', 'golang:1.27'],
    ['rust', 'rust:1'],
    ['php', 'php:8.5'],
    ['java', 'maven:3-eclipse-temurin-21'],
    ['clojure', 'clojure:temurin-21-lein'],
    ['elixir', 'elixir:1.20'],
    ['erlang', 'erlang:29'],
    ['haskell', 'haskell:9.12'],
    ['perl', 'perl:5.44'],
    ['perl6', 'rakudo-star:2025.02'],
    ['r', 'r-base:4.6.1'],
    ['julia', 'julia:1.12'],
    ['dart', 'dart:3'],
    ['objective-c', 'swift:6.2'],
    ['csharp', 'mono:6.12'],
    ['haxe', 'haxe:4.3'],
    ['crystal', 'crystallang/crystal:1.20'],
    ['nix', 'nixos/nix:2.35.2'],
    ['d', 'dlang2/dmd-ubuntu:latest'],
    ['matlab', 'none'],
    ['generic', 'buildpack-deps:noble'],
    ['bash', 'buildpack-deps:noble'],
    ['minimal', 'buildpack-deps:noble'],
    ['cpp', 'buildpack-deps:noble'],
    ['emacs-lisp', 'buildpack-deps:noble'],
  ])('of %s is %s', (language, image) => {
    expect(imageOf({ language })).toBe(image)
  })

  test('needs IMAGES if there is no official image', () => {
    const lacks = (language: string) =>
      `Language "${language}" has no official image: have an administrator add "${language}" to the ` +
      'setting IMAGES, or change "language" in .service.yml.'
    expect(choose({ language: 'matlab' })).toEqual({ lacks: lacks('matlab') })
    expect(choose({ language: 'objective-c', xcode_scheme: 'App' })).toEqual({
      lacks: lacks('objective-c'),
    })
  })
})

describe('a sentence about a missing image', () => {
  test('names the request and a remedy, on one printable line', () => {
    expect(choose({ language: 'ruby', rvm: 'rbx-3\n\u001B[31m\u2028x' })).toEqual({
      lacks:
        '.service.yml asks for "rvm: rbx-3 [31m x", which no official image of language "ruby" has: ask for ' +
        'a version such as "4.0", or have an administrator add "ruby" to the setting IMAGES.',
    })
  })
})
