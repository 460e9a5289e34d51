import type { Path } from '../../buildfile/expand/values.ts'
import { asksForKind } from '../context/build-kinds.ts'
import type { LintContext } from '../context/context.ts'
import { allCommands, type PhaseSection } from '../context/sections.ts'
import { stagesForPullRequests } from '../context/stages-for-pull-requests.ts'
import { quote } from '../quote.ts'
import { openSplitter } from '../shell/parts.ts'
import type { LintRule } from './rule.ts'

/** Commands that put something where others get it from. */
const publishing =
  /^(?:sudo\s+)?(?:npm publish|yarn publish|docker push|docker-compose push|(?:python[\d.]*\s+-m\s+)?twine upload|gem push|cargo publish|aws s3 (?:sync|cp)\b(?!\s+(?:-\S+\s+)*["']?s3:)\s.*\s["']?s3:|firebase deploy|goreleaser(?: release)?(?=\s*$|\s+-)|netlify deploy\b.*--prod|surge\s|now --prod|vercel --prod|git push\b.*https?:\/\/[^\s@]*\$[^\s@]*@|(?:\.\/)?(?:mvnw?|gradlew?)\s+(?:\S+\s+)*(?:deploy|publish)\b)/

/** Words of which each of these commands contains one. */
const programs = /publish|push|upload|aws|firebase|goreleaser|netlify|surge|--prod|mvn|gradle/

/** Signs that a command is only a dry run, or publishes to this machine. */
const isHarmless =
  /--dry-run|--help|--version|--snapshot|--skip[=-]publish|^(?:cargo|git) p.*\s-\w*n\b|(?<![\w.-])(?:localhost|127\.0\.0\.1|\[::1\])(?![\w.-])/

/** Phases that run in builds of pull requests, and that people publish in. */
const forPullRequests: ReadonlySet<PhaseSection> = new Set([
  'script',
  'after_success',
  'after_script',
])

export const publishOnPullRequest: LintRule = {
  code: 'publish_on_pull_request',
  level: 'warn',
  summary: 'A command that publishes something, and runs in builds of pull requests as well.',
  why:
    'Providers under `deploy` leave pull requests alone; a command under `script` or ' +
    '`after_success` does not. What has not been merged would be published. Asking for the branch ' +
    'does not help: in the build of a pull request `SERVICE_BRANCH` is the branch it is to be merged ' +
    'into. Move the command to a `deploy` section with the provider `script`, or ask for ' +
    '`SERVICE_PULL_REQUEST`, or put `if: type != pull_request` on the job.',
  examples: [
    {
      source: 'script: make\nafter_success:\n  - docker push example/app\n',
      messages: [
        '"docker push example/app" runs for pull requests as well: move it to a "deploy" section, or ' +
          'ask for "SERVICE_PULL_REQUEST" first',
      ],
    },
    {
      source: 'script: make\nafter_success:\n  - test $SERVICE_BRANCH = main && npm publish\n',
      messages: [
        '"npm publish" runs for pull requests as well: move it to a "deploy" section, or ask for ' +
          '"SERVICE_PULL_REQUEST" first',
      ],
    },
    {
      source:
        'script: make\nafter_success:\n' +
        '  - test $SERVICE_PULL_REQUEST = false && docker push example/app\n',
      messages: [],
    },
    {
      source:
        'script: make\nafter_success:\n  - git push -q "https://$TOKEN@host.example/o/r" main:docs\n',
      messages: [
        '"git push -q \\"https://$TOKEN@host.example/o/r\\" main:docs" runs for pull requests as well: move ' +
          'it to a "deploy" section, or ask for "SERVICE_PULL_REQUEST" first',
      ],
    },
    { source: 'if: type = push\nscript: make\nafter_success: npm publish\n', messages: [] },
    { source: 'script:\n  - docker push --quiet "localhost:5000/app"\n', messages: [] },
    {
      source:
        'after_success: docker push localhost:5000/app && docker push example/app\nscript: make\n',
      messages: [
        '"docker push example/app" runs for pull requests as well: move it to a "deploy" section, or ' +
          'ask for "SERVICE_PULL_REQUEST" first',
      ],
    },
    { source: 'script:\n  - aws s3 cp s3://fixtures/data.zip .\n', messages: [] },
    { source: 'script:\n  - goreleaser build\n', messages: [] },
    {
      // A condition on the stage is enough.
      source:
        'script: make\nstages:\n  - test\n  - name: deploy\n    if: branch = main\njobs:\n  include:\n' +
        '    - stage: deploy\n      script: npm publish\n',
      messages: [],
    },
    { source: 'script: make\ndeploy:\n  provider: script\n  script: npm publish\n', messages: [] },
  ],
  commands: programs,

  *check(context) {
    const { once } = context
    if (asksForKind(context)) return
    for (const { text, path, phase } of once(allCommands)) {
      if (!forPullRequests.has(phase) || !programs.test(text)) continue
      if (isSaidOfStage(context, path)) continue
      const command = once(openSplitter)(text)?.find(
        (part) => publishing.test(part.text) && !isHarmless.test(part.text),
      )
      if (!command) continue
      const message =
        `${quote(command.text)} runs for pull requests as well: move it to a "deploy" section, or ` +
        'ask for "SERVICE_PULL_REQUEST" first'
      yield { message, path }
    }
  },
}

/** Whether a command is in a stage that runs for pull requests as a whole, which is reported once. */
function isSaidOfStage({ once }: LintContext, [section, , index]: Path): boolean {
  if (section !== 'jobs') return false
  return once(stagesForPullRequests).some(({ jobs }) => jobs.some((job) => job === index))
}
