import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { VNode } from 'preact'
import { describe, expect, test } from 'vitest'
import { anonymous } from '../../../src/access/viewer.ts'
import type { DropReason } from '../../../src/buildfile/expand/rules/drop-reason.ts'
import { check } from '../../../src/domain/request/check.ts'
import { defaultSettings } from '../../../src/domain/settings.ts'
import { type Asset, jobScript, lintScript } from '../../../src/http/pages/assets.ts'
import { BuildNowPage } from '../../../src/http/pages/build-now/page.tsx'
import { CancelPage } from '../../../src/http/pages/build/cancel-page.tsx'
import { BuildPage } from '../../../src/http/pages/build/page.tsx'
import { CronsPage } from '../../../src/http/pages/crons/page.tsx'
import { ErrorPage } from '../../../src/http/pages/error/page.tsx'
import { ActionPage } from '../../../src/http/pages/explorer/action-page.tsx'
import { HomePage } from '../../../src/http/pages/home/page.tsx'
import { JobPage } from '../../../src/http/pages/job/page.tsx'
import { KeysPage } from '../../../src/http/pages/keys/page.tsx'
import type { CheckResult } from '../../../src/http/pages/lint/check.ts'
import { LintPage } from '../../../src/http/pages/lint/page.tsx'
import { LoginChoice } from '../../../src/http/pages/login/page.tsx'
import { scriptPath } from '../../../src/http/pages/paths.ts'
import { ProfilePage } from '../../../src/http/pages/profile/page.tsx'
import { QueuePage } from '../../../src/http/pages/queue/page.tsx'
import { renderPage } from '../../../src/http/pages/render-page.ts'
import { RepositoryPage } from '../../../src/http/pages/repository/page.tsx'
import { SettingsPage } from '../../../src/http/pages/settings/page.tsx'
import { CodeForm, ManifestForm, SetupProblem } from '../../../src/http/pages/setup/page.tsx'
import { SubscriptionPage } from '../../../src/http/pages/unsubscribe/page.tsx'
import { DeleteVariablePage, VariablesPage } from '../../../src/http/pages/variables/page.tsx'
import { lintActions } from '../../../src/http/v3/resources/lint.ts'
import type { Finding } from '../../../src/lint/finding.ts'
import { appManifest } from '../../../src/service/registration/registration.ts'
import type { IdleDelivery } from '../../../src/store/deliveries/listed-deliveries.ts'
import type { CronOfBranch } from '../../../src/store/repositories/crons.ts'
import { addressesIn, tagsIn, withoutTags } from './reading.ts'
import {
  buildRecord,
  commitRecord,
  frame,
  jobRecord,
  messageRecord,
  noon,
  pullRequestRecord,
  repositoryRecord,
  requestRecord,
  stageRecord,
  tokenRecord,
  userRecord,
} from './records.ts'

const [lint = expect.fail('V3 has no action for the linter')] = lintActions

/** Every page with the same text wherever a text from outside can stand. */
function pagesOf(text: string): Record<string, VNode> {
  const repository = repositoryRecord({ owner_name: text, name: text, description: text })
  const commit = commitRecord({
    message: `${text}\n\n${text}`,
    branch: text,
    sha: text,
    author_name: text,
    compare_url: `https://codehost.test/${text}`,
  })
  const tagged = { ...commit, tag_name: text }
  const pullRequest = pullRequestRecord({
    title: text,
    head_slug: text,
    head_ref: text,
    base_ref: text,
    html_url: `https://codehost.test/${text}`,
  })
  const checks = [check(text, false, { [text]: text }, { file: text, line: 1 })]
  const request = requestRecord({ message: text, sender_login: text, ref: text, checks })
  const delivery: IdleDelivery = {
    ...{ id: 1, event: text, action: text, outcome: text },
    ...{ result: 'ignored', received_at: noon },
  }
  const build = buildRecord()
  const stage = stageRecord({ name: text })
  const config = { language: text, os: text, dist: [text], env: [text, { [text]: text }] }
  const job = jobRecord({ name: text, number: text, stage_id: 1, config })
  const plannedJob = {
    config,
    allow_failure: false,
    name: text,
    stage: text,
    number: 1,
    stage_number: null,
    origin: { kind: 'matrix' as const, line: 1, differing: [text] },
  }
  const failedJob = { ...job, state: 'failed' as const, reason: text }
  const failure = { ended: { command: text, code: 1 }, lines: [{ number: 1, text }], errors: [1] }
  const around = {
    now: noon,
    frame: {
      prefix: '',
      version: text,
      styleHash: text,
      viewer: { user: userRecord({ login: text }), scopes: ['public'], form_token: text },
    },
  }
  const anonymousFrame = { ...around.frame, viewer: anonymous }
  const of = { ...around, repository, build, commit, fromFork: false }
  const messages = [messageRecord({ text, src: text, code: text })]
  return {
    home: (
      <HomePage
        {...around}
        repositories={[
          { repository, build, commit },
          { repository, build: null, commit: null },
        ]}
      />
    ),
    repository: (
      <RepositoryPage
        {...of}
        builds={[
          { build, commit, pullRequest },
          { build, commit: tagged, pullRequest: null },
        ]}
        requests={[
          { request, commit, pullRequest },
          { request, commit: null, pullRequest: null },
        ]}
        deliveries={[delivery]}
        notices={[repository.name]}
        hadBuildFile={false}
        paging={{ number: 2, size: 1, count: 3 }}
        filter={{ branch: text, state: 'failed', event: 'push', by: text, pull: '1' }}
        lastBuilds={[build, build]}
        can={{ build: true, approve: true, change: true }}
      />
    ),
    build: (
      <BuildPage
        {...of}
        {...{ pullRequest, request, messages }}
        notices={[text]}
        stages={[stage]}
        jobs={[job, jobRecord({ id: 22, config: { language: 'c', dist: [text] } })]}
        positions={new Map([[job.id, 1]])}
      />
    ),
    failed: (
      <BuildPage
        {...of}
        {...{ pullRequest, request, messages }}
        build={buildRecord({ state: 'failed' })}
        notices={[]}
        stages={[]}
        jobs={[failedJob, jobRecord({ id: 23, state: 'errored', reason: text })]}
        readable={new Set([23])}
        positions={new Map()}
        failures={new Map([[failedJob.id, failure]])}
        can={{ restart: true, cancel: true }}
        problem={text}
      />
    ),
    cancel: <CancelPage {...of} jobs={[job]} />,
    queue: (
      <QueuePage
        {...around}
        waiting={[{ ...job, repository }]}
        running={[{ ...job, repository }]}
        positions={new Map()}
        runners={new Map([[job.id, text]])}
        most={2}
      />
    ),
    'build now': (
      <BuildNowPage
        {...of}
        form={{ kind: 'tag', ref: text, sha: text, message: text, variables: text }}
        problems={new Map([['ref', text]])}
        preview={{
          ...{ raw: [], config: {}, dropped: [] },
          jobs: [plannedJob],
          messages: [{ ...messageRecord({ text, src: text }), key: [text], args: {} }],
          unreadable: { text, src: text },
        }}
        problem={text}
      />
    ),
    settings: (
      <SettingsPage
        {...of}
        settings={defaultSettings}
        problems={new Map([['timeout_hard_limit', text]])}
      />
    ),
    variables: (
      <VariablesPage
        {...of}
        variables={[
          { id: text, name: text, value: text, branch: text, updated_at: noon },
          { id: text, name: text, value: null, branch: null, updated_at: noon },
        ]}
        form={{ name: text, branch: text, isPublic: true }}
        problems={new Map([['name', text]])}
        problem={text}
      />
    ),
    keys: (
      <KeysPage
        {...of}
        pair={{ public_key: text, fingerprint: text }}
        custom={{ description: text, fingerprint: text, updated_at: noon }}
        description={text}
        problems={new Map([['value', text]])}
      />
    ),
    crons: (
      <CronsPage
        {...of}
        crons={[cronOf(text), { ...cronOf(text), active: false, inactive_reason: text }]}
        form={{ ...cronOf(text), branch: text, start_at: text }}
        problems={new Map([['timezone', text]])}
        problem={text}
      />
    ),
    'delete variable': (
      <DeleteVariablePage {...of} variable={{ id: text, name: text, branch: text }} />
    ),
    unapproved: (
      <BuildPage
        {...of}
        build={buildRecord({ state: 'created', waits_for_approval: true })}
        pullRequest={{ ...pullRequest, head_sha: text }}
        request={{ ...request, head_commit: text }}
        notices={[]}
        messages={[]}
        stages={[]}
        jobs={[]}
        positions={new Map()}
        canApprove={true}
      />
    ),
    job: (
      <JobPage
        {...of}
        {...{ job: failedJob, stage, failure }}
        position={1}
        log={text}
        can={{ restart: true, cancel: true }}
        previous={{ id: 1, number: text }}
        next={{ id: 2, number: text }}
        problem={text}
      />
    ),
    lint: (
      <LintPage
        frame={around.frame}
        form={{ text, settings: text, event: 'push', branch: text, tag: text, fix: text }}
        checked={checkedFile(text)}
      />
    ),
    error: <ErrorPage frame={around.frame} status={500} requestId={text} />,
    hidden: <ErrorPage frame={anonymousFrame} status={404} path={`/${text}`} />,
    profile: (
      <ProfilePage
        {...around}
        user={userRecord({ login: text, name: text, email: text })}
        feed={undefined}
        tokens={[tokenRecord({ name: text, scopes: [text] })]}
        paging={{ number: 1, size: 100, count: 1 }}
        canManage={true}
        isConnected={false}
        made={{ name: text, token: text }}
      />
    ),
    login: (
      <LoginChoice
        frame={around.frame}
        href="/auth/handshake"
        tokenHref="/auth/handshake/local"
        host={text}
      />
    ),
    explorer: (
      <ActionPage
        frame={around.frame}
        action={lint}
        typed={{ token: text, address: {}, parameters: { 'lint.content': text } }}
        tried={{ asked: `POST ${text}`, sent: text, status: 200, text, isCut: true }}
      />
    ),
    code: <CodeForm frame={anonymousFrame} host={text} problem={text} />,
    manifest: (
      <ManifestForm
        frame={anonymousFrame}
        {...{ host: text, action: 'https://codehost.test/settings/apps/new' }}
        manifest={appManifest({
          url: `https://ci.test/${text}`,
          webhookUrl: `https://ci.test/${text}`,
        })}
      />
    ),
    unregistered: (
      <SetupProblem
        frame={anonymousFrame}
        {...{ title: 'Not set up', reason: text, advice: text, again: '/setup' }}
      />
    ),
    mails: (
      <SubscriptionPage
        frame={anonymousFrame}
        {...{ repository, login: text, subscribed: true, changed: true }}
      />
    ),
  }
}

function cronOf(text: string): CronOfBranch {
  return {
    ...{ id: 1, repository_id: 1, branch_id: 1, interval: 'daily', start_at: text, timezone: text },
    ...{ planned_at: noon, next_run: noon, last_run: noon, created_at: noon, active: true },
    ...{ dont_run_if_recent_build_exists: true, inactive_reason: null },
    branch: { id: 1, repository_id: 1, name: text, exists_on_codehost: true, last_build_id: null },
  }
}

function checkedFile(text: string): CheckResult {
  const finding: Finding = {
    level: 'warn',
    code: text,
    key: [text],
    message: text,
    file: text,
    docs: text,
    line: 1,
    column: 1,
    end_line: 1,
    end_column: 3,
    fix: { title: text, edits: [], safe: false },
  }
  const origin = { kind: 'include', line: 1, entry: 1 } as const
  const row = { name: text, stage: text, origin, values: { [text]: text }, env: [text] }
  const why: DropReason = {
    kind: 'stage',
    entry: 1,
    stage: text,
    condition: text,
    line: 1,
    error: null,
    saw: [{ text, value: text }],
  }
  return {
    text: `${text}\n`,
    fixed: [text],
    findings: [finding, { ...finding, line: null, column: null }],
    problems: [finding],
    expansion: {
      config: { [text]: [text] },
      explanation: {
        total: 1,
        complete: true,
        combinations: 1,
        stages: [],
        messages: [],
        fast_finish: false,
        columns: [text],
        axes: [{ key: text, values: 2 }],
        global_env: [text],
        jobs: [{ ...row, number: 1, stage_number: null, allowed_to_fail: null }],
        dropped: [{ ...row, why }],
      },
      unmet: null,
      branches: { included: false, by: 'except', entry: text, only: [] },
    },
  }
}

const plain = pagesOf('plain')

/** Pages that show nothing but what this program says itself. */
const ownWords = ['api', 'codes', 'docs']

test('every page that shows text from users is tested here', () => {
  const pages = path.resolve(import.meta.dirname, '../../../src/http/pages')
  const folders = readdirSync(pages, { withFileTypes: true, recursive: true })
    .filter(({ name }) => name.endsWith('page.tsx'))
    .map(({ parentPath }) => path.relative(pages, parentPath))
  const here = readFileSync(import.meta.filename, 'utf8')
  const missing = folders.filter((folder) => folder && !here.includes(`/src/http/pages/${folder}/`))
  expect([...new Set(missing)].toSorted()).toEqual(ownWords)
})

/** The tags of a document with the names of their attributes. */
function outline(html: string): string[] {
  return tagsIn(html).map(({ name, attributes }) => [name, ...Object.keys(attributes)].join(' '))
}

describe.each([
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></style></textarea><svg onload=alert(1)>',
  'javascript:alert(1)//',
  '<!-- --> <![CDATA[ &lt;b&gt; ]]>',
  '__proto__',
])('%s', (text) => {
  test.each(Object.keys(plain))('is only text on the %s page', (name) => {
    const page = pagesOf(text)[name] ?? <></>
    const html = renderPage(page)

    expect(outline(html)).toEqual(outline(renderPage(plain[name] ?? <></>)))
    expect(withoutTags(html)).not.toMatch(/<|&(?!lt;|amp;|quot;)/)
    const own = /^(\/(?!\/)|#|https:\/\/codehost\.test\/|data:image\/svg\+xml,)/
    expect(addressesIn(html).filter((address) => !own.test(address))).toEqual([])
  })
})

test.each(['javascript:alert(1)', 'data:text/html,x', '//evil.test', 'vbscript:x'])(
  'an address %s from the code host does not become a link',
  (address) => {
    const html = renderPage(
      <BuildPage
        {...{ frame, now: noon, request: null, notices: [], messages: [], stages: [], jobs: [] }}
        fromFork={false}
        positions={new Map()}
        repository={repositoryRecord()}
        build={buildRecord()}
        commit={commitRecord({ compare_url: address })}
        pullRequest={pullRequestRecord({ html_url: address })}
      />,
    )
    expect(html).not.toContain(address)
  },
)

const scripts: Record<string, Asset> = { lint: lintScript, job: jobScript }

test.each(Object.entries(plain))(
  'the %s page has no script but its own, and no inline styles',
  (name, page) => {
    const tags = tagsIn(renderPage(page))
    const loaded = tags.filter((tag) => tag.name === 'script').map(({ attributes }) => attributes)
    const own = scripts[name]
    expect(loaded).toEqual(own ? [{ type: 'module', src: scriptPath('', own) }] : [])
    expect(tags.filter((tag) => ['style', 'iframe'].includes(tag.name))).toEqual([])
    const names = tags.flatMap(({ attributes }) => Object.keys(attributes))
    expect(names.filter((name) => name === 'style' || name.startsWith('on'))).toEqual([])
  },
)
