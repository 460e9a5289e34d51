import type { ComponentChildren } from 'preact'
import type { Viewer } from '../../../access/viewer.ts'
import { formTokenName } from '../../identity/session.ts'

interface FormProps {
  /** The viewer of the form, whose session's token proves that the form is from this service's page. */
  viewer: Viewer
  action: string
  class?: string
  children: ComponentChildren
}

/** A form that changes something. */
export function Form({ viewer, action, children, ...rest }: FormProps) {
  return (
    <form method="post" action={action} {...rest}>
      <input type="hidden" name={formTokenName} value={viewer.form_token ?? ''} />
      {children}
    </form>
  )
}
