import type { Context } from './context.ts'
import { allConditions } from './sections.ts'

/** Variables that tell the builds of pull requests from others. */
const variables = /SERVICE_PULL_REQUEST|SERVICE_EVENT_TYPE|SERVICE_SECURE_ENV_VARS|SERVICE_TAG/

/** The same of conditions. */
const terms = /\b(?:type|tag|fork|head_\w+)\b/

/** Whether a file asks anywhere what kind of build it is: then someone has thought of pull requests. */
export function asksForKind({ once, text }: Context): boolean {
  return variables.test(text) || once(allConditions).some((condition) => terms.test(condition.text))
}
