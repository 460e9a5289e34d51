/** An app at its code host, as registered from this service. */
export interface NewApp {
  app_id: string
  name: string
  /** The app's page at the code host. */
  html_url: string
  /** PEM. */
  private_key: string
  webhook_secret: string
  client_id: string
  client_secret: string
}

/** The app that the code host is to register, in the code host's terms. */
export interface AppManifest {
  name: string
  description: string
  url: string
  public: boolean
  hook_attributes: { url: string; active: boolean }
  /** The address to which the browser returns. */
  redirect_url: string
  /** The addresses to which logins may return. */
  callback_urls: readonly string[]
  default_permissions: Readonly<Record<string, string>>
  default_events: readonly string[]
}
