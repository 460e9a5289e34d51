import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { command, scratchFolder } from '../support/command.ts'
import { type WorkTree, workTree } from '../support/git.ts'

const buildFile = `# TRAVIS_TAG is empty for branches
language: node_js   # and nothing else
os: [linux, osx]
env:
  global:
    - TRAVIS_OWN=1
    - secure: "c2VjcmV0"
cache: npm
script:
  - travis_retry ./ci/test.sh "$TRAVIS_BRANCH"
  - echo $TRAVIS_OWN $TRAVIS_UID
  - cd /home/travis
deploy:
  provider: pages
  github_token: $TOKEN
`

const imported = buildFile
  .replace('TRAVIS_TAG', 'SERVICE_TAG')
  .replace('travis_retry', 'service_retry')
  .replace('TRAVIS_BRANCH', 'SERVICE_BRANCH')
  .replace('github_token', 'codehost_token')

const script = '#!/bin/sh\n\tif [ "$TRAVIS" ]; then echo "$TRAVIS_TAG"; fi'

function project(files: Record<string, string> = {}): WorkTree {
  const tree = workTree()
  tree.commit('For another service', { '.travis.yml': buildFile, ...files })
  return tree
}

const read = ({ folder }: WorkTree, name: string) => readFileSync(path.join(folder, name), 'utf8')

const imports = ({ folder }: WorkTree, ...args: string[]) =>
  command(['import', ...args], { cwd: folder })

describe('import --dry-run', () => {
  test('shows a diff and the remaining tasks, and changes nothing', async () => {
    const tree = project({ 'test.sh': script, 'README.md': '$TRAVIS_TAG\n' })
    expect(await imports(tree, '--dry-run')).toEqual({
      code: 0,
      stderr: '',
      stdout: `diff --git a/.travis.yml b/.service.yml
rename from .travis.yml
rename to .service.yml
--- a/.travis.yml
+++ b/.service.yml
@@ -1,4 +1,4 @@
-# TRAVIS_TAG is empty for branches
+# SERVICE_TAG is empty for branches
 language: node_js   # and nothing else
 os: [linux, osx]
 env:
@@ -7,9 +7,9 @@
     - secure: "c2VjcmV0"
 cache: npm
 script:
-  - travis_retry ./ci/test.sh "$TRAVIS_BRANCH"
+  - service_retry ./ci/test.sh "$SERVICE_BRANCH"
   - echo $TRAVIS_OWN $TRAVIS_UID
   - cd /home/travis
 deploy:
   provider: pages
-  github_token: $TOKEN
+  codehost_token: $TOKEN
diff --git a/test.sh b/test.sh
--- a/test.sh
+++ b/test.sh
@@ -1,2 +1,2 @@
 #!/bin/sh
-\tif [ "$TRAVIS" ]; then echo "$TRAVIS_TAG"; fi
\\ No newline at end of file
+\tif [ "$SERVICE" ]; then echo "$SERVICE_TAG"; fi
\\ No newline at end of file
${list}`,
    })
    expect(tree.git('status', '--porcelain')).toBe('')
  })

  test('prints a patch that git can apply', async () => {
    const tree = project({ 'test.sh': script })
    const { stdout } = await imports(tree, '--dry-run')
    const patch = path.join(scratchFolder(), 'import.patch')
    writeFileSync(patch, stdout.slice(0, stdout.indexOf('\n\n') + 1))
    tree.git('apply', '--index', patch)
    expect(read(tree, '.service.yml')).toBe(imported)
    expect(existsSync(path.join(tree.folder, '.travis.yml'))).toBe(false)
  })

  test('prints no control characters', async () => {
    const tree = project({
      'a.sh': 'echo \u001B[2J $TRAVIS_TAG \u202E\r\n',
      'b\u001B.sh': '$TRAVIS\n',
    })
    const { stdout } = await imports(tree, '--dry-run')
    expect(stdout).toContain(String.raw`+echo \x1b[2J $SERVICE_TAG \u202e`)
    expect(stdout).toContain(String.raw`+++ b/b\x1b.sh`)
    expect(stdout).not.toMatch(/[^\P{Cc}\n\t]|\u202E/u)
  })
})

const list = `
Secrets to encrypt again:
  .service.yml:7 "env.global" is encrypted with a key of the former service: encrypt it with build-service encrypt, and replace the value

Jobs for other operating systems or processors:
  .service.yml:3 "os: osx" needs a runner on such a machine: by default its jobs end with an error where this service has none

Keys without effect here:
  .service.yml:8 "cache" has no effect in this service: nothing is cached
  .service.yml:13 "deploy" has no effect in this service: nothing is deployed

Names without a counterpart here:
  .service.yml:11 "TRAVIS_UID" is not set by this service: set it in the settings of the repository or under "env", or remove the line

Other differences:
  .service.yml:12 "/home/travis" is a home folder of the former service: write $HOME

Files that were left as they are:
  README.md: it is a document
`

describe('import', () => {
  test('renames the build file, and the names in it and in scripts', async () => {
    const tree = project({ 'test.sh': script, 'README.md': '$TRAVIS_TAG\n', 'other.sh': 'make\n' })
    const { code, stdout } = await imports(tree)
    expect(code).toBe(0)
    expect(stdout).toContain('changed .service.yml (was .travis.yml)\nchanged test.sh\n')
    expect(stdout).toContain(list)
    expect(read(tree, '.service.yml')).toBe(imported)
    expect(read(tree, 'test.sh')).toBe(script.replaceAll('TRAVIS', 'SERVICE'))
    expect(tree.git('status', '--porcelain').split('\n')).toEqual([
      'RM .travis.yml -> .service.yml',
      ' M test.sh',
    ])
  })

  test('changes nothing in a second run, and lists the same tasks', async () => {
    const tree = project({ 'test.sh': script, 'README.md': '$TRAVIS_TAG\n' })
    await imports(tree)
    const before = tree.git('status', '--porcelain')
    const { code, stdout } = await imports(tree)
    expect([code, stdout.startsWith(`nothing to rename\n${list}`)]).toEqual([0, true])
    expect(stdout).toContain('Next: check the file with build-service lint')
    expect(tree.git('status', '--porcelain')).toBe(before)
    expect(read(tree, '.service.yml')).toBe(imported)
  })

  test('treats imported files like the build file', async () => {
    const tree = workTree()
    tree.commit('For another service', {
      '.travis.yml': 'import:\n  - ./ci/deploy.yml\n  - team/config:ci.yml@main\nscript: make\n',
      'ci/deploy.yml':
        'deploy:\n  provider: codedeploy\n  revision_type: "GitHub"\n  secret_access_key:\n    secure: abc\n',
    })
    const { stdout } = await imports(tree)
    expect(read(tree, 'ci/deploy.yml')).toContain('revision_type: "codehost"\n')
    expect(stdout).toContain('  ci/deploy.yml:5 "deploy.secret_access_key" is encrypted')
    expect(stdout).toContain('  .service.yml:1 "team/config:ci.yml@main" is read from another')
  })

  test('lists commands and languages that will behave differently', async () => {
    const tree = workTree()
    tree.commit('For another service', {
      '.travis.yml':
        'language: smalltalk\nbefore_install:\n  - sudo apt-get update\n  - sudo apt-get install jq\n' +
        '  - openssl aes-256-cbc -K $encrypted_0a1b2c3d4e5f_key -iv $encrypted_0a1b2c3d4e5f_iv -in a\n' +
        '  - travis_nanoseconds\n  # - cat .travis.yml\n  - cat .travis.yml\n',
    })
    const { stdout } = await imports(tree)
    expect(stdout.split('\n').filter((line) => line.startsWith('  '))).toEqual([
      expect.stringMatching(
        /^ {2}\.service\.yml:5 "encrypted_0a1b2c3d4e5f_key" is a variable that the former service set/,
      ),
      expect.stringMatching(/^ {2}\.service\.yml:6 "travis_nanoseconds" is a function that jobs/),
      expect.stringMatching(
        /^ {2}\.service\.yml:1 jobs of the language "smalltalk" have no default/,
      ),
      expect.stringMatching(/^ {2}\.service\.yml:3 "sudo" is called, .* \(in 2 places\)$/),
      expect.stringMatching(
        /^ {2}\.service\.yml:8 "\.travis\.yml" is the former name of the build/,
      ),
    ])
  })

  test('follows no links, and skips binary files and files of other projects', async () => {
    const outside = path.join(scratchFolder(), 'outside.sh')
    writeFileSync(outside, script)
    const tree = project({
      'vendor/a.sh': script,
      'sub/.travis.yml': script,
      'data.bin': `\0${script}`,
    })
    symlinkSync(outside, path.join(tree.folder, 'link.sh'))
    writeFileSync(path.join(tree.folder, 'latin.sh'), Buffer.from(`# caf\xe9\n${script}`, 'latin1'))
    tree.git('add', '--all')
    tree.git('commit', '--quiet', '-m', 'Add a link and a file that is not UTF-8')
    writeFileSync(path.join(tree.folder, 'untracked.sh'), script)
    const { code, stdout } = await imports(tree)
    expect([code, readFileSync(outside, 'utf8')]).toEqual([0, script])
    expect(lstatSync(path.join(tree.folder, 'link.sh')).isSymbolicLink()).toBe(true)
    expect(stdout).toContain(`
Files that were left as they are:
  latin.sh: it holds bytes that are not UTF-8; correct them, or change it by hand
  sub/.travis.yml: builds read only the build file in the top folder
  vendor/a.sh: it belongs to another project
`)
    expect(tree.git('status', '--porcelain').split('\n')).toEqual([
      'RM .travis.yml -> .service.yml',
      '?? untracked.sh',
    ])
  })
})

describe('import refuses, and changes nothing:', () => {
  async function refusal(tree: WorkTree, ...args: string[]): Promise<string> {
    const before = tree.git('status', '--porcelain')
    const { code, stdout, stderr } = await imports(tree, ...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(tree.git('status', '--porcelain')).toBe(before)
    return stderr
  }

  test('a project with both build files', async () => {
    const tree = project({ '.service.yml': 'script: make\n' })
    expect(await refusal(tree, '--dry-run')).toBe(
      'build-service: . has both .travis.yml and .service.yml: remove the outdated one, ' +
        'then try again\n',
    )
  })

  test('a project without a build file', async () => {
    const tree = workTree()
    tree.commit('No build file', { 'a.sh': script })
    expect(await refusal(tree)).toBe(
      'build-service: there is no .travis.yml in .: name the top folder of a repository\n',
    )
  })

  test('a folder outside a repository, or a missing folder', async () => {
    const folder = scratchFolder()
    writeFileSync(path.join(folder, '.travis.yml'), buildFile)
    const { code, stderr } = await command(['import', folder])
    expect([code, stderr]).toEqual([
      2,
      `build-service: ${folder} is not in a git repository with a work tree: name the top folder of such a repository\n`,
    ])
    rmSync(folder, { recursive: true })
    expect((await command(['import', folder])).stderr).toContain(`${folder} does not exist: name`)
  })

  test('a folder below the root of its repository', async () => {
    const tree = project({ 'sub/.travis.yml': buildFile })
    expect(await refusal(tree, 'sub')).toContain(
      `sub is not the top folder of its repository, where builds read the build file: name ${tree.folder}`,
    )
  })

  test('uncommitted changes in the files to import', async () => {
    const tree = project({ 'test.sh': script, 'other.sh': 'make\n' })
    writeFileSync(path.join(tree.folder, 'test.sh'), `${script}\n`)
    writeFileSync(path.join(tree.folder, '.travis.yml'), `${buildFile}\n`)
    tree.git('add', '.travis.yml')
    expect(await refusal(tree)).toBe(
      'build-service: there are uncommitted changes in test.sh, .travis.yml. Commit or stash them, then try ' +
        'again, so that git can show and undo what the import changes; --dry-run shows it without changing ' +
        'anything\n',
    )
    tree.git('checkout', 'HEAD', '--', '.')
    writeFileSync(path.join(tree.folder, 'other.sh'), 'make test\n')
    expect((await imports(tree)).code).toBe(0)
  })

  test('a build file that git does not track', async () => {
    const tree = workTree()
    tree.commit('No build file', { 'a.sh': 'make\n' })
    writeFileSync(path.join(tree.folder, '.travis.yml'), buildFile)
    expect(await refusal(tree)).toContain('uncommitted changes in .travis.yml.')
  })

  test('a build file that cannot be read, is a link, or is not UTF-8', async () => {
    const tree = project()
    const file = path.join(tree.folder, '.travis.yml')
    writeFileSync(file, 'script: [make\n')
    expect(await refusal(tree)).toMatch(
      /^build-service: \.travis\.yml cannot be imported: line \d: /,
    )
    writeFileSync(file, Buffer.from('script: caf\xe9\n', 'latin1'))
    expect(await refusal(tree)).toContain(
      '.travis.yml cannot be imported: it holds bytes that are not UTF-8',
    )
    rmSync(file)
    symlinkSync('/etc/hostname', file)
    expect(await refusal(tree)).toContain('.travis.yml cannot be imported: it is a symbolic link')
  })
})
