import type { authMail as source } from '../en/auth-mail-pages.ts';

export const authMail: typeof source = {
  send: {
    sending: 'Envoi…',
    spam: 'Toujours rien après une ou deux minutes ? Regardez aussi dans les indésirables.',
    code: 'Demander un code',
    again: 'Demander un nouveau code',
    sentAgain: 'Un nouvel e-mail est en route. Seul le code du plus récent est valable.',
    otherEmail: 'Utiliser une autre adresse',
  },
  /** For a site without a mail server. */
  unsent: {
    lead: 'Ce site n’envoie pas d’e-mails : il n’a pas de serveur de messagerie. Son exploitant peut vous donner le lien ou le code.',
    requested:
      'Aucun e-mail n’arrivera, car ce site n’a pas de serveur de messagerie. Demandez le code à son exploitant et saisissez-le ici.',
    byLink:
      'Aucun e-mail n’arrivera, car ce site n’a pas de serveur de messagerie. Demandez le lien à son exploitant.',
    magic: 'Se connecter avec un lien ou un code',
    password:
      'Vous n’avez pas encore de mot de passe, ou vous l’avez oublié ? Ce site n’envoie pas d’e-mails ; son exploitant peut vous donner un lien pour en choisir un nouveau.',
    link: 'Demander un lien',
    newest: 'Seul le code le plus récent est valable.',
    none: 'Ce site n’a pas encore de serveur de messagerie : aucun n’est envoyé.',
  },
  code: {
    label: 'Code',
    hint: (minutes: number) => `Il reste valable ${minutes} minutes.`,
    missing: 'Saisissez tous les chiffres du code.',
    tooMany: 'Trop de codes ont été essayés. Utilisez le lien ou patientez un moment.',
    wrong: (tries: number) =>
      `Ce code est incorrect ou n’est plus valable. Après ${tries} essais infructueux, il en faut un nouveau.`,
  },
  link: {
    incompleteTitle: 'Ce lien est incomplet',
    incomplete: 'Il en manque une partie. Ouvrez-le de nouveau depuis l’e-mail, ou copiez-le en entier.',
    usedTitle: 'Ce lien n’est plus valable',
    used: 'Il a déjà servi ou il a expiré.',
    continueTo: (site: string) => `Continuer vers ${site}`,
  },
  magic: {
    title: 'Se connecter par e-mail',
    metaDescription: 'Connectez-vous avec un lien ou un code envoyé par e-mail.',
    lead: 'Nous vous envoyons un lien et un code : aucun mot de passe à retenir. Si vous n’avez pas encore de compte, il sera créé.',
    send: 'M’envoyer un lien de connexion',
    sentTitle: 'Consultez votre messagerie',
    sent: (email: string) =>
      `Un e-mail est en route vers ${email}. Ouvrez le lien qu’il contient, ou saisissez ici son code.`,
    sentForCode: (email: string) =>
      `Un e-mail est en route vers ${email}. Saisissez ici son code pour continuer.`,
    signIn: 'Se connecter',
    signingIn: 'Connexion…',
    linkTitle: 'Se connecter',
    linkLead: 'Appuyez sur le bouton pour ouvrir votre session. Le lien ne sert qu’une fois.',
    redirectLead: (site: string) =>
      `Appuyez sur le bouton pour continuer vers ${site}, où votre session s’ouvrira. Le lien ne sert qu’une fois.`,
    requestAgain: 'Demander un nouveau lien',
    withPassword: 'Se connecter avec un mot de passe',
  },
  forgot: {
    title: 'Mot de passe oublié ?',
    metaDescription: 'Choisissez un nouveau mot de passe avec un lien ou un code envoyé par e-mail.',
    lead: 'Indiquez-nous votre adresse : nous vous envoyons un lien et un code pour en choisir un nouveau.',
    send: 'Recevoir l’e-mail',
    sentTitle: 'Consultez votre messagerie',
    sent: (email: string) =>
      `S’il existe un compte avec l’adresse ${email}, un e-mail est en route. Ouvrez le lien qu’il contient, ou saisissez ici son code.`,
    back: 'Retour à la connexion',
  },
  reset: {
    title: 'Choisir un nouveau mot de passe',
    metaDescription: 'Choisissez un nouveau mot de passe pour votre compte.',
    lead: 'Tous vos appareils seront déconnectés.',
    newPassword: 'Nouveau mot de passe',
    passwordHint: 'Au moins 10 caractères, et qui ne soit pas des plus courants.',
    passwordMissing: 'Saisissez un nouveau mot de passe.',
    save: 'Enregistrer le nouveau mot de passe',
    saving: 'Enregistrement…',
    doneTitle: 'Votre mot de passe est modifié',
    done: 'Connectez-vous désormais avec le nouveau. Tous vos appareils ont été déconnectés.',
    signIn: 'Se connecter',
    redirectLead: (site: string) => `Le nouveau mot de passe se choisit sur ${site}.`,
    requestAgain: 'Demander un nouveau lien',
  },
  /** For an account whose address was never verified, before its password ends. */
  claim: {
    title: 'Avant de continuer',
    lead: 'Personne n’a montré jusqu’ici que cette adresse est la sienne. Son compte a un mot de passe, que vous ou une personne inconnue avez choisi. Si vous continuez sans ce mot de passe, il ne fonctionne plus, et toutes les personnes connectées au compte sont déconnectées.',
    passwordHint: 'Avec lui, tout reste tel quel.',
    newPassword: 'Ou un nouveau mot de passe',
    newPasswordHint:
      'Si vous laissez les deux champs vides, le compte n’a pas de mot de passe, et vous vous connectez par e-mail.',
  },
  verify: {
    title: 'Confirmer votre adresse',
    metaDescription: 'Confirmez l’adresse e-mail de votre compte.',
    lead: 'Appuyez sur le bouton pour montrer que cette adresse est la vôtre.',
    confirm: 'Confirmer mon adresse',
    confirming: 'Confirmation…',
    doneTitle: 'Votre adresse est confirmée',
    done: 'Merci. C’est tout.',
    failedTitle: 'Cette adresse n’a pas pu être confirmée',
    failed:
      'Le lien a déjà servi ou il a expiré. Si votre adresse est déjà confirmée, il n’y a plus rien à faire ; sinon, demandez-en un nouveau depuis la page de votre compte.',
    toAccount: 'Accéder à mon compte',
    password: 'Le mot de passe que vous avez choisi',
    passwordWrong: 'Ce n’est pas le mot de passe du compte.',
    doneWithoutPassword:
      'L’adresse n’appartient plus qu’à vous : toutes les personnes connectées au compte sont déconnectées, et son mot de passe ne fonctionne plus. Connectez-vous par e-mail, puis choisissez votre propre mot de passe si vous le souhaitez.',
    doneNewPassword:
      'L’adresse n’appartient plus qu’à vous : toutes les personnes connectées au compte sont déconnectées. Désormais, vous vous connectez avec votre nouveau mot de passe.',
    toSignIn: 'Se connecter par e-mail',
    goOn: 'Continuer',
  },
  notices: {
    title: 'E-mails sur les nouveaux commentaires',
    metaDescription: 'Ne plus recevoir d’e-mails sur les nouveaux commentaires de vos articles.',
    lead: 'Pour quels articles n’en voulez-vous plus ? Vous pouvez changer cela dans votre compte.',
    one: 'Pour cet article',
    all: 'Pour tous mes articles',
    stopping: 'Un instant…',
    doneTitle: 'Vous ne recevrez plus ces e-mails',
    doneOne: 'Nous ne vous écrirons plus au sujet des nouveaux commentaires de cet article.',
    doneAll: 'Nous ne vous écrirons plus au sujet des nouveaux commentaires de vos articles.',
    toAccount: 'Aller à mon compte',
    named: {
      title: 'E-mails sur les articles qui vous nomment',
      lead: 'N’en voulez-vous plus ? Vous pouvez changer cela dans votre compte.',
      all: 'Ne plus les recevoir',
      doneAll: 'Nous ne vous écrirons plus au sujet des articles qui vous nomment.',
    },
  },
};
