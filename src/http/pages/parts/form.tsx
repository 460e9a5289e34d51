import { randomUUID } from 'node:crypto'
import type { ComponentChildren } from 'preact'
import type { Viewer } from '../../../access/viewer.ts'
import { formKeyName } from '../../caching/idempotency.ts'
import { formTokenName } from '../../identity/session.ts'

interface FormProps {
  /** The viewer of the form, whose session's token proves that the form is from this service's page. */
  viewer: Viewer
  action: string
  class?: string
  /** False for a form with a button that changes nothing: then the others carry its key. */
  keyed?: boolean
  children: ComponentChildren
}

/** A form that changes something. */
export function Form({ viewer, action, keyed = true, children, ...rest }: FormProps) {
  return (
    <form method="post" action={action} {...rest}>
      <input type="hidden" name={formTokenName} value={viewer.form_token ?? ''} />
      {keyed && <input type="hidden" {...formKey()} />}
      {children}
    </form>
  )
}

/** The field, or the button, that makes each rendering of a form a separate call: see `answerToForm`. */
export const formKey = () => ({ name: formKeyName, value: randomUUID() })
