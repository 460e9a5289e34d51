import type { LintContext } from './context.ts'
import { allConditions } from './sections.ts'

/** Variables that distinguish builds of pull requests from others. */
const variables = /SERVICE_PULL_REQUEST|SERVICE_EVENT_TYPE|SERVICE_SECURE_ENV_VARS|SERVICE_TAG/

/** Terms of conditions that make the same distinction. */
const terms = /\b(?:type|tag|fork|head_\w+)\b/

/** Whether a file checks the kind of build anywhere: then its author has considered pull requests. */
export function asksForKind({ once, text }: LintContext): boolean {
  return variables.test(text) || once(allConditions).some((condition) => terms.test(condition.text))
}
