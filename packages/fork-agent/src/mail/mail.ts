/** What agents say to each other. Requests carry ids of their own mail; responses name them. */
export type MailBody =
  | { readonly kind: 'text'; readonly text: string; readonly summary: string }
  /** Asks for an orderly end. */
  | { readonly kind: 'shutdown-request'; readonly reason?: string }
  | {
      readonly kind: 'shutdown-response';
      readonly requestId: string;
      readonly accepted: boolean;
      readonly reason?: string;
    }
  | { readonly kind: 'plan-approval-request'; readonly plan: string }
  | {
      readonly kind: 'plan-approval-response';
      readonly requestId: string;
      readonly approved: boolean;
      readonly feedback?: string;
    };

/** One message from one agent to another. */
export interface Mail {
  /** Unique; a delivery that is tried again keeps it. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly body: MailBody;
}
