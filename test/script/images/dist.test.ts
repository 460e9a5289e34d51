import { describe, expect, test } from 'vitest'
import { choose, imageOf } from './chosen-image.ts'

const missing = { pull: 'missing' }

describe('a distribution', () => {
  test.each<[dist: string, image: string]>([
    ['noble', 'buildpack-deps:noble'],
    ['jammy', 'buildpack-deps:jammy'],
    ['Focal', 'buildpack-deps:focal'],
    ['trusty', 'buildpack-deps:trusty'],
    ['precise', 'none'],
    ['rhel8', 'none'],
    ['server-2016', 'none'],
    ['noble/../x', 'none'],
    ['constructor', 'none'],
  ])('%s is the image of a job without a language: %s', (dist, image) => {
    expect(imageOf({ language: 'generic', dist })).toBe(image)
    expect(imageOf({ language: 'cpp', compiler: 'gcc', dist })).toBe(image)
  })

  test('without an official image is reported with a remedy', () => {
    expect(choose({ language: 'shell', dist: 'rhel8' })).toEqual({
      lacks:
        '.service.yml asks for "dist: rhel8", which has no official image: name another one, such as "noble", ' +
        'or have an administrator add it to "dist" in the setting IMAGES.',
    })
  })

  test('counts only if the build file names it', () => {
    const job = { language: 'generic', dist: 'focal' }
    expect(imageOf(job, { assumed: ['dist'] })).toBe('buildpack-deps:noble')
    expect(imageOf(job, { assumed: ['language', 'os'] })).toBe('buildpack-deps:focal')
  })

  test("has no effect beside a language's image, as a note reports", () => {
    const job = { language: 'node_js', node_js: '18', dist: 'focal' }
    const note = '"dist: focal" has no effect: the image is that of language "node_js".'
    expect(choose(job)).toEqual({ image: 'node:18', ...missing, note })
    expect(choose(job, { images: 'node_js: ours/node:1' })).toEqual({
      ...{ image: 'ours/node:1', ...missing, note },
    })
    expect(choose(job, { assumed: ['dist'] })).toEqual({ image: 'node:18', ...missing })
  })
})

describe('a language that the build file does not name', () => {
  test.each<[config: Record<string, unknown>, image: string]>([
    [{ language: 'ruby' }, 'ruby:4.0'],
    [{ language: 'ruby', script: [' '] }, 'ruby:4.0'],
    [{ language: 'ruby', script: ['make'] }, 'buildpack-deps:noble'],
    [{ language: 'ruby', rvm: '3.3' }, 'ruby:3.3'],
    [{ language: 'ruby', rvm: ['3.3', '3.4'] }, 'ruby:3.3'],
    [{ language: 'objective-c', os: 'osx', script: 'make' }, 'buildpack-deps:noble'],
    [{}, 'buildpack-deps:noble'],
  ])('counts only with a version or its default commands: %j is %s', (config, image) => {
    expect(imageOf(config, { assumed: ['language', 'dist'] })).toBe(image)
  })
})

describe('a note', () => {
  test.each<[config: Record<string, unknown>, image: string, note: string]>([
    [
      { language: 'elixir', elixir: '1.8', otp_release: '19' },
      'elixir:1.8-otp-20',
      'Elixir 1.8 needs OTP 20 or later.',
    ],
    [
      { language: 'python', python: '3.7-dev' },
      'python:3.7',
      'No image has the development version of this branch: the job runs with python:3.7.',
    ],
    [
      { language: 'python', python: 'pypy3.5-6.0', dist: 'xenial' },
      'pypy:3.5',
      'The image pypy:3.5 has the newest PyPy for its Python, which may not be 6.0. ' +
        '"dist: xenial" has no effect: the image is that of language "python".',
    ],
    [
      { language: 'rust', rust: 'nightly' },
      'rust:1',
      'The image rust:1 has no toolchain "nightly", which its rustup can install.',
    ],
  ])('names the feature that the image lacks: %j', (config, image, note) => {
    expect(choose(config)).toEqual({ image, ...missing, note })
  })
})
