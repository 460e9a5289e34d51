import type { EnvVar } from '../../../domain/env-var.ts'
import { isMasked } from '../../../domain/log/masked.ts'
import { withoutQuotes } from '../../../script/variables/secret-forms.ts'
import { sealedIn } from '../../../secrets/sealed-records.ts'
import type { Call } from '../../core/endpoint.ts'
import { warn, warning } from '../core/warnings.ts'

/** Warns of a secret value that logs would show if a job prints it. */
export function warnUnmasked(call: Call, type: string, variable: EnvVar): void {
  if (variable.public) return
  const { id, name, sealed_value } = variable
  const value = withoutQuotes(call.ctx.sealer.openText(sealedIn.envVar(id), sealed_value)).trim()
  if (value === '' || isMasked(value)) return
  const message =
    `the value of ${name} is too short or too common to be masked, so logs show it where a job prints it: ` +
    'choose a longer one if it is to stay secret'
  warn(call, warning('unmasked_value', `${type}.value`, message))
}
