<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AccessBar</name>
    <message>
        <source>Its owner decides who may have it: ask for it on its page, and wait for an answer.</source>
        <translation>Sein Besitzer entscheidet, wer es haben darf: Fragen Sie auf seiner Seite danach und warten Sie auf eine Antwort.</translation>
    </message>
    <message>
        <source>Its owner asks you to accept a licence on its page first.</source>
        <translation>Sein Besitzer verlangt, dass Sie erst auf seiner Seite eine Lizenz annehmen.</translation>
    </message>
    <message>
        <source>This model is private: only its owner&apos;s friends may have it.</source>
        <translation>Dieses Modell ist privat: Nur Freunde seines Besitzers dürfen es haben.</translation>
    </message>
    <message>
        <source>You are signed in as {name}.</source>
        <translation>Sie sind angemeldet als {name}.</translation>
    </message>
    <message>
        <source>Then sign in here, with a token of the same account.</source>
        <translation>Melden Sie sich dann hier an, mit einem Token desselben Kontos.</translation>
    </message>
    <message>
        <source>Account…</source>
        <translation>Konto…</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Chat</source>
        <translation>&amp;Chat</translation>
    </message>
    <message>
        <source>&amp;Message</source>
        <translation>&amp;Nachricht</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;New chat</source>
        <translation>&amp;Neuer Chat</translation>
    </message>
    <message>
        <source>&amp;Close tab</source>
        <translation>Tab &amp;schließen</translation>
    </message>
    <message>
        <source>&amp;Load a model folder…</source>
        <translation>Modellordner &amp;laden…</translation>
    </message>
    <message>
        <source>Choose the folder of a model on this computer</source>
        <translation>Den Ordner eines Modells auf diesem Rechner wählen</translation>
    </message>
    <message>
        <source>Load a &amp;GGUF file…</source>
        <translation>&amp;GGUF-Datei laden…</translation>
    </message>
    <message>
        <source>Choose a model on this computer that is a single file</source>
        <translation>Ein Modell auf diesem Rechner wählen, das eine einzige Datei ist</translation>
    </message>
    <message>
        <source>Load a &amp;recent model…</source>
        <translation>Zuletzt geladenes &amp;Modell…</translation>
    </message>
    <message>
        <source>One of the models loaded before, with its settings then</source>
        <translation>Eines der früher geladenen Modelle, mit seinen damaligen Einstellungen</translation>
    </message>
    <message>
        <source>How the model is l&amp;oaded…</source>
        <translation>&amp;Wie das Modell geladen wird…</translation>
    </message>
    <message>
        <source>GPUs, context and memory of the model, and what fits</source>
        <translation>GPUs, Kontext und Speicher des Modells, und was passt</translation>
    </message>
    <message>
        <source>A&amp;bout this load…</source>
        <translation>Übe&amp;r diesen Ladevorgang…</translation>
    </message>
    <message>
        <source>The plan beside what the engine reported, stage by stage</source>
        <translation>Der Plan neben dem, was die Engine gemeldet hat, Schritt für Schritt</translation>
    </message>
    <message>
        <source>&amp;Unload the model</source>
        <translation>Modell &amp;entladen</translation>
    </message>
    <message>
        <source>Give the model&apos;s memory back</source>
        <translation>Den Speicher des Modells freigeben</translation>
    </message>
    <message>
        <source>&amp;Put the models to sleep</source>
        <translation>Modelle schla&amp;fen legen</translation>
    </message>
    <message>
        <source>Their memory is free for other programs until the next message</source>
        <translation>Ihr Speicher ist bis zur nächsten Nachricht frei für andere Programme</translation>
    </message>
    <message>
        <source>Wa&amp;ke the models</source>
        <translation>Modelle wec&amp;ken</translation>
    </message>
    <message>
        <source>Take the memory back, without waiting for a message</source>
        <translation>Den Speicher zurückholen, ohne auf eine Nachricht zu warten</translation>
    </message>
    <message>
        <source>Quan&amp;tise a model…</source>
        <translation>Modell &amp;quantisieren…</translation>
    </message>
    <message>
        <source>Make a 4-bit model (AWQ) of one on this computer</source>
        <translation>Aus einem Modell auf diesem Rechner ein 4-Bit-Modell (AWQ) machen</translation>
    </message>
    <message>
        <source>&amp;Import chats…</source>
        <translation>Chats &amp;importieren…</translation>
    </message>
    <message>
        <source>M&amp;odels</source>
        <translation>&amp;Modelle</translation>
    </message>
    <message>
        <source>Mo&amp;nitor</source>
        <translation>M&amp;onitor</translation>
    </message>
    <message>
        <source>Take chats from an export of this program or of ChatGPT</source>
        <translation>Chats aus einem Export dieses Programms oder von ChatGPT übernehmen</translation>
    </message>
    <message>
        <source>&amp;Export this chat…</source>
        <translation>Diesen Chat e&amp;xportieren…</translation>
    </message>
    <message>
        <source>Write this chat to a file: Markdown, JSON or HTML</source>
        <translation>Diesen Chat in eine Datei schreiben: Markdown, JSON oder HTML</translation>
    </message>
    <message>
        <source>Export &amp;all chats…</source>
        <translation>&amp;Alle Chats exportieren…</translation>
    </message>
    <message>
        <source>Write all chats to files</source>
        <translation>Alle Chats in Dateien schreiben</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>Eins&amp;tellungen…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Find models…</source>
        <translation>Modelle &amp;suchen…</translation>
    </message>
    <message>
        <source>Search the hub for models that run on this computer</source>
        <translation>Im Hub nach Modellen suchen, die auf diesem Rechner laufen</translation>
    </message>
    <message>
        <source>&amp;Installed models…</source>
        <translation>&amp;Installierte Modelle…</translation>
    </message>
    <message>
        <source>What is on this computer, what it takes, and what to do</source>
        <translation>Was auf diesem Rechner liegt, was es braucht und was damit zu tun ist</translation>
    </message>
    <message>
        <source>&amp;Downloads…</source>
        <translation>&amp;Downloads…</translation>
    </message>
    <message>
        <source>Models on their way here: how far, how long, pause, cancel</source>
        <translation>Modelle auf dem Weg hierher: wie weit, wie lange noch, anhalten, abbrechen</translation>
    </message>
    <message>
        <source>&amp;Write a message</source>
        <translation>Nachricht &amp;schreiben</translation>
    </message>
    <message>
        <source>&amp;Attach a text file…</source>
        <translation>Te&amp;xtdatei anhängen…</translation>
    </message>
    <message>
        <source>&amp;Stop the answer</source>
        <translation>Antwort a&amp;nhalten</translation>
    </message>
    <message>
        <source>M&amp;odel of this chat…</source>
        <translation>&amp;Modell dieses Chats…</translation>
    </message>
    <message>
        <source>Which model answers here; others can be loaded beside</source>
        <translation>Welches Modell hier antwortet; weitere lassen sich daneben laden</translation>
    </message>
    <message>
        <source>Settin&amp;gs of this chat…</source>
        <translation>Einstellungen dieses &amp;Chats…</translation>
    </message>
    <message>
        <source>System prompt, sampling, presets and limits of this chat</source>
        <translation>Systemprompt, Sampling, Vorlagen und Grenzen dieses Chats</translation>
    </message>
    <message>
        <source>&amp;Rename…</source>
        <translation>&amp;Umbenennen…</translation>
    </message>
    <message>
        <source>P&amp;in or unpin</source>
        <translation>An&amp;heften oder lösen</translation>
    </message>
    <message>
        <source>Keep this chat at the top of the list, or no longer</source>
        <translation>Diesen Chat oben in der Liste halten oder nicht mehr</translation>
    </message>
    <message>
        <source>&amp;Move to a folder…</source>
        <translation>In &amp;Ordner verschieben…</translation>
    </message>
    <message>
        <source>Archi&amp;ve or take back</source>
        <translation>&amp;Archivieren oder zurückholen</translation>
    </message>
    <message>
        <source>Put this chat out of the way, or back into the list</source>
        <translation>Diesen Chat aus dem Weg räumen oder in die Liste zurückholen</translation>
    </message>
    <message>
        <source>&amp;Delete the chat</source>
        <translation>Chat &amp;löschen</translation>
    </message>
    <message>
        <source>Deleted c&amp;hats…</source>
        <translation>&amp;Gelöschte Chats…</translation>
    </message>
    <message>
        <source>Take deleted chats back, or erase them for good</source>
        <translation>Gelöschte Chats zurückholen oder endgültig entfernen</translation>
    </message>
    <message>
        <source>Ne&amp;xt tab</source>
        <translation>Nächster &amp;Tab</translation>
    </message>
    <message>
        <source>&amp;Previous tab</source>
        <translation>&amp;Vorheriger Tab</translation>
    </message>
    <message>
        <source>&amp;Edit the last message you wrote</source>
        <translation>Letzte eigene Nachricht &amp;bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Regenerate the answer</source>
        <translation>Antwort &amp;neu erzeugen</translation>
    </message>
    <message>
        <source>Ask again; the answer there is stays beside the new one</source>
        <translation>Noch einmal fragen; die bisherige Antwort bleibt neben der neuen stehen</translation>
    </message>
    <message>
        <source>&amp;Continue the answer</source>
        <translation>Antwort &amp;fortsetzen</translation>
    </message>
    <message>
        <source>Answer four &amp;ways</source>
        <translation>Vier Ant&amp;worten</translation>
    </message>
    <message>
        <source>Four answers side by side; pick the one to go on from</source>
        <translation>Vier Antworten nebeneinander; wählen Sie die, mit der es weitergeht</translation>
    </message>
    <message>
        <source>Answer again with another &amp;model…</source>
        <translation>Noch einmal mit anderem &amp;Modell antworten…</translation>
    </message>
    <message>
        <source>Both answers side by side, each with its model&apos;s name</source>
        <translation>Beide Antworten nebeneinander, jede mit dem Namen ihres Modells</translation>
    </message>
    <message>
        <source>&amp;Previous version</source>
        <translation>&amp;Vorige Fassung</translation>
    </message>
    <message>
        <source>&amp;Next version</source>
        <translation>Nächste Fass&amp;ung</translation>
    </message>
    <message>
        <source>&amp;Fork into a new chat</source>
        <translation>In neuen &amp;Chat abzweigen</translation>
    </message>
    <message>
        <source>Copy the chat up to this message into a new tab</source>
        <translation>Den Chat bis zu dieser Nachricht in einen neuen Tab kopieren</translation>
    </message>
    <message>
        <source>&amp;Quote in the reply</source>
        <translation>In der Antwort &amp;zitieren</translation>
    </message>
    <message>
        <source>Begin a reply to the selected text, or to the last answer</source>
        <translation>Eine Antwort auf den markierten Text oder die letzte Antwort beginnen</translation>
    </message>
    <message>
        <source>&amp;Details…</source>
        <translation>&amp;Details…</translation>
    </message>
    <message>
        <source>Model, tokens, speed, seed and why the answer ended</source>
        <translation>Modell, Token, Tempo, Startwert und warum die Antwort endete</translation>
    </message>
    <message>
        <source>De&amp;lete the last message</source>
        <translation>&amp;Letzte Nachricht löschen</translation>
    </message>
    <message>
        <source>C&amp;ommands…</source>
        <translation>&amp;Befehle…</translation>
    </message>
    <message>
        <source>Find any command or chat by typing a part of its name</source>
        <translation>Jeden Befehl und Chat über einen Teil seines Namens finden</translation>
    </message>
    <message>
        <source>&amp;Find in all chats</source>
        <translation>In allen Chats &amp;suchen</translation>
    </message>
    <message>
        <source>Show the &amp;sidebar</source>
        <translation>Seiten&amp;leiste zeigen</translation>
    </message>
    <message>
        <source>Split to the &amp;right</source>
        <translation>Nach &amp;rechts teilen</translation>
    </message>
    <message>
        <source>Move this tab into a pane of its own at the right</source>
        <translation>Diesen Tab in einen eigenen Bereich rechts setzen</translation>
    </message>
    <message>
        <source>Split do&amp;wn</source>
        <translation>Nach &amp;unten teilen</translation>
    </message>
    <message>
        <source>Move this tab into a pane of its own below</source>
        <translation>Diesen Tab in einen eigenen Bereich darunter setzen</translation>
    </message>
    <message>
        <source>Go to the ne&amp;xt pane</source>
        <translation>Zum &amp;nächsten Bereich</translation>
    </message>
    <message>
        <source>Go to the pre&amp;vious pane</source>
        <translation>Zum &amp;vorigen Bereich</translation>
    </message>
    <message>
        <source>Move the tab to the next &amp;pane</source>
        <translation>Tab in den nä&amp;chsten Bereich</translation>
    </message>
    <message>
        <source>&amp;Close the pane</source>
        <translation>Bereich schl&amp;ießen</translation>
    </message>
    <message>
        <source>Its tabs go to the pane beside it</source>
        <translation>Seine Tabs kommen in den Bereich daneben</translation>
    </message>
    <message>
        <source>Colours as the s&amp;ystem</source>
        <translation>Farben wie das S&amp;ystem</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>Hoher &amp;Kontrast</translation>
    </message>
    <message>
        <source>L&amp;arger text</source>
        <translation>&amp;Größere Schrift</translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation>Kl&amp;einere Schrift</translation>
    </message>
    <message>
        <source>&amp;Normal text</source>
        <translation>Norm&amp;ale Schrift</translation>
    </message>
    <message>
        <source>&amp;Enter sends, Shift+Enter starts a new line</source>
        <translation>Enter sendet, Umschalt+Enter beginnt eine neue &amp;Zeile</translation>
    </message>
    <message>
        <source>C&amp;trl+Enter sends, Enter starts a new line</source>
        <translation>S&amp;trg+Enter sendet, Enter beginnt eine neue Zeile</translation>
    </message>
    <message>
        <source>&amp;Show the monitor</source>
        <translation>Monitor &amp;zeigen</translation>
    </message>
    <message>
        <source>GPUs, KV cache, throughput and every chat&apos;s share, live</source>
        <translation>GPUs, KV-Cache, Durchsatz und der Anteil jedes Chats, live</translation>
    </message>
    <message>
        <source>In a &amp;window of its own</source>
        <translation>In eigenem &amp;Fenster</translation>
    </message>
    <message>
        <source>Take the monitor out of this window, or back into it</source>
        <translation>Den Monitor aus diesem Fenster herausnehmen oder zurückholen</translation>
    </message>
    <message>
        <source>&amp;Freeze the monitor</source>
        <translation>Monitor &amp;einfrieren</translation>
    </message>
    <message>
        <source>What is shown stands still; readings go on</source>
        <translation>Was zu sehen ist, steht still; gemessen wird weiter</translation>
    </message>
    <message>
        <source>&amp;Record the monitor…</source>
        <translation>Monitor &amp;aufzeichnen…</translation>
    </message>
    <message>
        <source>Keep all readings in a file, or end that</source>
        <translation>Alle Messwerte in einer Datei festhalten oder das beenden</translation>
    </message>
    <message>
        <source>&amp;Open a recording…</source>
        <translation>Aufzeich&amp;nung öffnen…</translation>
    </message>
    <message>
        <source>Show a recording in the monitor, moment by moment</source>
        <translation>Eine Aufzeichnung im Monitor zeigen, Moment für Moment</translation>
    </message>
    <message>
        <source>Export a &amp;picture of the monitor…</source>
        <translation>&amp;Bild des Monitors exportieren…</translation>
    </message>
    <message>
        <source>Export the &amp;histories as a table…</source>
        <translation>&amp;Verläufe als Tabelle exportieren…</translation>
    </message>
    <message>
        <source>Five minutes of every reading, as CSV</source>
        <translation>Fünf Minuten jedes Messwerts, als CSV</translation>
    </message>
    <message>
        <source>Export the chats&apos; &amp;blocks as a table…</source>
        <translation>B&amp;löcke der Chats als Tabelle exportieren…</translation>
    </message>
    <message>
        <source>What each chat holds of the KV cache, as CSV</source>
        <translation>Was jeder Chat vom KV-Cache belegt, als CSV</translation>
    </message>
    <message>
        <source>A&amp;lerts…</source>
        <translation>&amp;Warnungen…</translation>
    </message>
    <message>
        <source>What is watched, and from where on it is told</source>
        <translation>Was beobachtet wird und ab wann es gemeldet wird</translation>
    </message>
    <message>
        <source>Engine &amp;log</source>
        <translation>Engine-&amp;Protokoll</translation>
    </message>
    <message>
        <source>&amp;Check this machine…</source>
        <translation>Diesen Rechner prü&amp;fen…</translation>
    </message>
    <message>
        <source>Driver, engine, disk, folders, chats and starter model</source>
        <translation>Treiber, Engine, Platte, Ordner, Chats und Startmodell</translation>
    </message>
    <message>
        <source>&amp;About Inglenook</source>
        <translation>Ü&amp;ber Inglenook</translation>
    </message>
</context>
<context>
    <name>AlertBadge</name>
    <message>
        <source>{alert} (+{count})</source>
        <translation>{alert} (+{count})</translation>
    </message>
    <message>
        <source>Alert: {text}</source>
        <translation>Warnung: {text}</translation>
    </message>
    <message>
        <source>● REC</source>
        <translation>● REC</translation>
    </message>
    <message>
        <source>The monitor is being recorded: show it</source>
        <translation>Der Monitor wird aufgezeichnet: zeigen</translation>
    </message>
</context>
<context>
    <name>AlertList</name>
    <message>
        <source>Hear of them again</source>
        <translation>Wieder melden</translation>
    </message>
    <message numerus="yes">
        <source>%n muted</source>
        <translation>
            <numerusform>%n stumm</numerusform>
            <numerusform>%n stumm</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n alert(s) muted; hear of them again</source>
        <translation>
            <numerusform>%n Warnung stumm geschaltet; wieder melden</numerusform>
            <numerusform>%n Warnungen stumm geschaltet; wieder melden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Alerts</name>
    <message>
        <source>A GPU no longer answers</source>
        <translation>Eine GPU antwortet nicht mehr</translation>
    </message>
    <message>
        <source>Temperature of a GPU</source>
        <translation>Temperatur einer GPU</translation>
    </message>
    <message>
        <source>A GPU is slowed down by heat</source>
        <translation>Eine GPU wird durch Hitze gedrosselt</translation>
    </message>
    <message>
        <source>A GPU is held at its power limit for minutes</source>
        <translation>Eine GPU liegt minutenlang an ihrer Leistungsgrenze</translation>
    </message>
    <message>
        <source>Memory of a GPU in use</source>
        <translation>Belegter Speicher einer GPU</translation>
    </message>
    <message>
        <source>Time between two tokens (nine out of ten)</source>
        <translation>Zeit zwischen zwei Token (neun von zehn)</translation>
    </message>
    <message>
        <source>Answers sent back to the queue</source>
        <translation>In die Reihe zurückgestellte Antworten</translation>
    </message>
    <message>
        <source>Cached text given up</source>
        <translation>Aus dem Cache verdrängter Text</translation>
    </message>
    <message>
        <source>°C</source>
        <translation>°C</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>a minute</source>
        <translation>je Minute</translation>
    </message>
    <message>
        <source>% of the KV cache a minute</source>
        <translation>% des KV-Caches je Minute</translation>
    </message>
    <message>
        <source>A GPU</source>
        <translation>Eine GPU</translation>
    </message>
    <message>
        <source>GPU {number}</source>
        <translation>GPU {number}</translation>
    </message>
    <message>
        <source>GPU {number} ({name})</source>
        <translation>GPU {number} ({name})</translation>
    </message>
    <message>
        <source>{gpu} lost</source>
        <translation>{gpu} verloren</translation>
    </message>
    <message>
        <source>{gpu} {degrees} °C</source>
        <translation>{gpu} {degrees} °C</translation>
    </message>
    <message>
        <source>{gpu} slowed by heat</source>
        <translation>{gpu} durch Hitze gedrosselt</translation>
    </message>
    <message>
        <source>{gpu} at power limit</source>
        <translation>{gpu} an der Leistungsgrenze</translation>
    </message>
    <message>
        <source>{gpu} memory {percent} %</source>
        <translation>{gpu} Speicher {percent} %</translation>
    </message>
    <message>
        <source>Slow: {milliseconds} ms a token</source>
        <translation>Langsam: {milliseconds} ms je Token</translation>
    </message>
    <message>
        <source>Preempted: {count} a minute</source>
        <translation>Zurückgestellt: {count} je Minute</translation>
    </message>
    <message>
        <source>KV cache evicted: {percent} % a minute</source>
        <translation>KV-Cache verdrängt: {percent} % je Minute</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>{gpu} no longer answers.</source>
        <translation>{gpu} antwortet nicht mehr.</translation>
    </message>
    <message>
        <source>{gpu} is at {degrees} °C.</source>
        <translation>{gpu} hat {degrees} °C.</translation>
    </message>
    <message>
        <source>{gpu} is too hot and runs slower.</source>
        <translation>{gpu} ist zu heiß und läuft langsamer.</translation>
    </message>
    <message>
        <source>{gpu} is held at its power limit.</source>
        <translation>{gpu} liegt an ihrer Leistungsgrenze.</translation>
    </message>
    <message>
        <source>{percent} % of the memory of {gpu} is in use.</source>
        <translation>{gpu}: {percent} % des Speichers sind belegt.</translation>
    </message>
    <message>
        <source>One token in ten of {model} takes {milliseconds} ms or longer.</source>
        <translation>{model}: Eines von zehn Token braucht {milliseconds} ms oder länger.</translation>
    </message>
    <message>
        <source>{model}: within the last minute, answers were sent back to the queue {count} times, since the KV cache was full.</source>
        <translation>{model}: In der letzten Minute wurden {count}-mal Antworten in die Reihe zurückgestellt, weil der KV-Cache voll war.</translation>
    </message>
    <message>
        <source>{model}: {percent} % of the KV cache was evicted within the last minute; that text must be read again when its chat goes on.</source>
        <translation>{model}: {percent} % des KV-Caches wurden in der letzten Minute verdrängt; dieser Text muss neu gelesen werden, wenn sein Chat weitergeht.</translation>
    </message>
    <message>
        <source>The driver tries to find it again. If it stays away, restart the computer; if it happens again, look at power cables, riser and temperature.</source>
        <translation>Der Treiber versucht, sie wiederzufinden. Bleibt sie fort, starten Sie den Rechner neu; geschieht es wieder, prüfen Sie Stromkabel, Riser und Temperatur.</translation>
    </message>
    <message>
        <source>Give it more air, raise its fans&apos; speed, or lower its power limit (nvidia-smi -pl).</source>
        <translation>Geben Sie ihr mehr Luft, lassen Sie die Lüfter schneller drehen oder senken Sie ihre Leistungsgrenze (nvidia-smi -pl).</translation>
    </message>
    <message>
        <source>That is its limit at work. If the power supply allows, raise it (nvidia-smi -pl); else nothing need be done.</source>
        <translation>Hier wirkt ihre Grenze. Erlaubt es das Netzteil, heben Sie sie an (nvidia-smi -pl); sonst ist nichts zu tun.</translation>
    </message>
    <message>
        <source>Close other programs that use the GPU, or load the model with less memory for chats.</source>
        <translation>Schließen Sie andere Programme, die die GPU nutzen, oder laden Sie das Modell mit weniger Speicher für Chats.</translation>
    </message>
    <message>
        <source>Fewer answers at once, or shorter chats, make each one faster; so does a smaller or a quantised model.</source>
        <translation>Weniger Antworten zugleich oder kürzere Chats machen jede einzelne schneller; ein kleineres oder quantisiertes Modell ebenso.</translation>
    </message>
    <message>
        <source>Let fewer answers run at once, shorten the chats, or load the model with more memory for chats.</source>
        <translation>Lassen Sie weniger Antworten zugleich laufen, kürzen Sie die Chats oder laden Sie das Modell mit mehr Speicher für Chats.</translation>
    </message>
    <message>
        <source>More chats are under way than the cache can keep. Load the model with more memory for chats, or close chats that you have finished.</source>
        <translation>Es laufen mehr Chats, als der Cache halten kann. Laden Sie das Modell mit mehr Speicher für Chats oder schließen Sie Chats, mit denen Sie fertig sind.</translation>
    </message>
</context>
<context>
    <name>AnswerForm</name>
    <message>
        <source>Form of the answer</source>
        <translation>Form der Antwort</translation>
    </message>
    <message>
        <source>Free text</source>
        <translation>Freier Text</translation>
    </message>
    <message>
        <source>JSON of a schema</source>
        <translation>JSON nach einem Schema</translation>
    </message>
    <message>
        <source>A pattern (regular expression)</source>
        <translation>Ein Muster (regulärer Ausdruck)</translation>
    </message>
    <message>
        <source>Schema or pattern</source>
        <translation>Schema oder Muster</translation>
    </message>
</context>
<context>
    <name>AppearancePage</name>
    <message>
        <source>Appearance</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Schriftgröße</translation>
    </message>
    <message>
        <source>The kettle is on, and the fire is lit.</source>
        <translation>Das Wasser kocht, und das Feuer brennt.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Another language is there after the next start.</source>
        <translation>Eine andere Sprache gilt ab dem nächsten Start.</translation>
    </message>
</context>
<context>
    <name>AttachmentChips</name>
    <message>
        <source>Show the attachment {name}, {size}</source>
        <translation>Anhang {name}, {size}, anzeigen</translation>
    </message>
</context>
<context>
    <name>AttachmentReader</name>
    <message>
        <source>{name} is not there any more.</source>
        <translation>{name} ist nicht mehr da.</translation>
    </message>
    <message>
        <source>{name} may not be read with your rights.</source>
        <translation>{name} darf mit Ihren Rechten nicht gelesen werden.</translation>
    </message>
    <message>
        <source>{name} could not be read: {reason}.</source>
        <translation>{name} konnte nicht gelesen werden: {reason}.</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>1 character</source>
        <translation>1 Zeichen</translation>
    </message>
    <message>
        <source>{count} characters</source>
        <translation>{count} Zeichen</translation>
    </message>
    <message>
        <source>{count} thousand characters</source>
        <translation>{count} Tausend Zeichen</translation>
    </message>
    <message>
        <source>{count} million characters</source>
        <translation>{count} Millionen Zeichen</translation>
    </message>
    <message>
        <source>{name} is larger than {limit} MB; attach the part that matters.</source>
        <translation>{name} ist größer als {limit} MB; hängen Sie den Teil an, auf den es ankommt.</translation>
    </message>
    <message>
        <source>{name} is empty.</source>
        <translation>{name} ist leer.</translation>
    </message>
    <message>
        <source>{name} is a folder; choose the files in it that matter.</source>
        <translation>{name} ist ein Ordner; wählen Sie die Dateien darin, auf die es ankommt.</translation>
    </message>
    <message>
        <source>{name} is a device or a pipe, not a file.</source>
        <translation>{name} ist ein Gerät oder eine Pipe, keine Datei.</translation>
    </message>
    <message>
        <source>{name} is not UTF-8; it was read as Latin-1. Look whether its letters are right.</source>
        <translation>{name} ist kein UTF-8; die Datei wurde als Latin-1 gelesen. Prüfen Sie, ob die Buchstaben stimmen.</translation>
    </message>
    <message>
        <source>{name} is a PDF. Only text can be attached: copy its text instead.</source>
        <translation>{name} ist ein PDF. Nur Text kann angehängt werden: Kopieren Sie stattdessen seinen Text.</translation>
    </message>
    <message>
        <source>{name} is a picture. Models are given text only here.</source>
        <translation>{name} ist ein Bild. Modelle bekommen hier nur Text.</translation>
    </message>
    <message>
        <source>{name} is an office document. Save it as plain text and attach that.</source>
        <translation>{name} ist ein Office-Dokument. Speichern Sie es als reinen Text und hängen Sie diesen an.</translation>
    </message>
    <message>
        <source>{name} is not a text file.</source>
        <translation>{name} ist keine Textdatei.</translation>
    </message>
</context>
<context>
    <name>AttachmentRow</name>
    <message>
        <source>Attached texts</source>
        <translation>Angehängte Texte</translation>
    </message>
    <message>
        <source>At most {count} texts go with one message.</source>
        <translation>Mit einer Nachricht gehen höchstens {count} Texte.</translation>
    </message>
    <message>
        <source>{name} is too much: together the texts would have {size}.</source>
        <translation>{name} ist zu viel: Zusammen hätten die Texte {size}.</translation>
    </message>
    <message>
        <source>being read…</source>
        <translation>wird gelesen…</translation>
    </message>
</context>
<context>
    <name>Beside</name>
    <message>
        <source>Second models are switched off in the settings.</source>
        <translation>Weitere Modelle sind in den Einstellungen abgeschaltet.</translation>
    </message>
    <message>
        <source>Unloading the model interrupts them.</source>
        <translation>Das Modell zu entladen unterbricht sie.</translation>
    </message>
    <message>
        <source>Load it in place of {model}</source>
        <translation>Statt {model} laden</translation>
    </message>
    <message>
        <source>Try it all the same</source>
        <translation>Trotzdem versuchen</translation>
    </message>
    <message>
        <source>No room for a second model</source>
        <translation>Kein Platz für ein zweites Modell</translation>
    </message>
    <message>
        <source>{new} cannot be loaded beside {old}.</source>
        <translation>{new} kann nicht neben {old} geladen werden.</translation>
    </message>
</context>
<context>
    <name>BinDialog</name>
    <message>
        <source>Deleted chats</source>
        <translation>Gelöschte Chats</translation>
    </message>
    <message>
        <source>Chats are being erased</source>
        <translation>Chats werden entfernt</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Erase for good…</source>
        <translation>Endgültig entfernen…</translation>
    </message>
    <message>
        <source>Empty the bin…</source>
        <translation>Papierkorb leeren…</translation>
    </message>
    <message>
        <source>Looking into the bin…</source>
        <translation>Der Papierkorb wird durchgesehen…</translation>
    </message>
    <message>
        <source>{title}
Changed {when}</source>
        <translation>{title}
Geändert {when}</translation>
    </message>
    <message numerus="yes">
        <source>%n deleted chat(s). They stay here until they are erased.</source>
        <translation>
            <numerusform>%n gelöschter Chat. Er bleibt hier, bis er entfernt wird.</numerusform>
            <numerusform>%n gelöschte Chats. Sie bleiben hier, bis sie entfernt werden.</numerusform>
        </translation>
    </message>
    <message>
        <source>The bin is empty.</source>
        <translation>Der Papierkorb ist leer.</translation>
    </message>
    <message>
        <source>One of these chats is gone already. Choose again.</source>
        <translation>Einer dieser Chats ist schon fort. Wählen Sie noch einmal.</translation>
    </message>
    <message>
        <source>Erase “{title}” for good?</source>
        <translation>„{title}“ endgültig entfernen?</translation>
    </message>
    <message numerus="yes">
        <source>Erase %n chat(s) for good?</source>
        <translation>
            <numerusform>%n Chat endgültig entfernen?</numerusform>
            <numerusform>%n Chats endgültig entfernen?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Erase all %n chat(s) in the bin for good?</source>
        <translation>
            <numerusform>Den Chat im Papierkorb (%n) endgültig entfernen?</numerusform>
            <numerusform>Alle %n Chats im Papierkorb endgültig entfernen?</numerusform>
        </translation>
    </message>
    <message>
        <source>Erase for good</source>
        <translation>Endgültig entfernen</translation>
    </message>
    <message>
        <source>This cannot be undone. Every trace goes from this computer&apos;s store of chats, and the backups that hold them are removed as well.</source>
        <translation>Das lässt sich nicht rückgängig machen. Jede Spur verschwindet aus der Ablage der Chats auf diesem Rechner, und auch die Sicherungen, die sie enthalten, werden gelöscht.</translation>
    </message>
    <message>
        <source>Erase</source>
        <translation>Entfernen</translation>
    </message>
</context>
<context>
    <name>CandidatesView</name>
    <message>
        <source>Answers to choose from</source>
        <translation>Antworten zur Auswahl</translation>
    </message>
</context>
<context>
    <name>CardView</name>
    <message>
        <source>What its author says of it</source>
        <translation>Was sein Autor darüber sagt</translation>
    </message>
    <message>
        <source>The hub shows it to those whom its owner lets in.</source>
        <translation>Der Hub zeigt es nur denen, die der Eigentümer einlässt.</translation>
    </message>
    <message>
        <source>Its author has written nothing about this model.</source>
        <translation>Sein Autor hat nichts über dieses Modell geschrieben.</translation>
    </message>
    <message>
        <source>No description</source>
        <translation>Keine Beschreibung</translation>
    </message>
    <message>
        <source>The rest of this description is too long.</source>
        <translation>Der Rest dieser Beschreibung ist zu lang.</translation>
    </message>
    <message>
        <source>{owner} writes</source>
        <translation>{owner} schreibt</translation>
    </message>
</context>
<context>
    <name>ChangeRows</name>
    <message>
        <source>Apply</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Apply: {change}</source>
        <translation>Übernehmen: {change}</translation>
    </message>
</context>
<context>
    <name>ChatFacts</name>
    <message>
        <source>Preset: {name}</source>
        <translation>Vorlage: {name}</translation>
    </message>
    <message>
        <source>own system prompt</source>
        <translation>eigener Systemprompt</translation>
    </message>
    <message>
        <source>no system prompt</source>
        <translation>kein Systemprompt</translation>
    </message>
    <message>
        <source>{count} parameters changed</source>
        <translation>{count} Parameter geändert</translation>
    </message>
    <message>
        <source>{name}: default</source>
        <translation>{name}: Standard</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>presence penalty</source>
        <translation>Präsenzmalus</translation>
    </message>
    <message>
        <source>frequency penalty</source>
        <translation>Häufigkeitsmalus</translation>
    </message>
    <message>
        <source>repetition penalty</source>
        <translation>Wiederholungsmalus</translation>
    </message>
    <message>
        <source>at most (tokens)</source>
        <translation>höchstens (Token)</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>stop strings</source>
        <translation>Stopptexte</translation>
    </message>
    <message>
        <source>JSON schema</source>
        <translation>JSON-Schema</translation>
    </message>
    <message>
        <source>pattern</source>
        <translation>Muster</translation>
    </message>
    <message>
        <source>default system prompt</source>
        <translation>Standard-Systemprompt</translation>
    </message>
    <message>
        <source>at most {count} tokens</source>
        <translation>höchstens {count} Token</translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message>
        <source>Inglenook</source>
        <translation>Inglenook</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Your chats will stand here.</source>
        <translation>Hier werden Ihre Chats stehen.</translation>
    </message>
    <message>
        <source>Rename the chat</source>
        <translation>Chat umbenennen</translation>
    </message>
    <message>
        <source>Title:</source>
        <translation>Titel:</translation>
    </message>
</context>
<context>
    <name>ChatListDesk</name>
    <message>
        <source>Move to a folder</source>
        <translation>In einen Ordner verschieben</translation>
    </message>
    <message>
        <source>Folder:</source>
        <translation>Ordner:</translation>
    </message>
    <message>
        <source>Rename the folder</source>
        <translation>Ordner umbenennen</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>Name:</translation>
    </message>
    <message>
        <source>{title} (copy)</source>
        <translation>{title} (Kopie)</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) pinned</source>
        <translation>
            <numerusform>%n Chat angeheftet</numerusform>
            <numerusform>%n Chats angeheftet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) unpinned</source>
        <translation>
            <numerusform>%n Chat gelöst</numerusform>
            <numerusform>%n Chats gelöst</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) archived</source>
        <translation>
            <numerusform>%n Chat archiviert</numerusform>
            <numerusform>%n Chats archiviert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) taken out of the archive</source>
        <translation>
            <numerusform>%n Chat aus dem Archiv geholt</numerusform>
            <numerusform>%n Chats aus dem Archiv geholt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) moved to “{folder}”</source>
        <translation>
            <numerusform>%n Chat nach „{folder}“ verschoben</numerusform>
            <numerusform>%n Chats nach „{folder}“ verschoben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) taken out of the folder</source>
        <translation>
            <numerusform>%n Chat aus dem Ordner genommen</numerusform>
            <numerusform>%n Chats aus dem Ordner genommen</numerusform>
        </translation>
    </message>
    <message>
        <source>Folder renamed to “{folder}”</source>
        <translation>Ordner in „{folder}“ umbenannt</translation>
    </message>
    <message>
        <source>Folder “{folder}” dissolved</source>
        <translation>Ordner „{folder}“ aufgelöst</translation>
    </message>
</context>
<context>
    <name>ChatListModel</name>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n Chat</numerusform>
            <numerusform>%n Chats</numerusform>
        </translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>geschlossen</translation>
    </message>
    <message>
        <source>Folder {name}</source>
        <translation>Ordner {name}</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>This week</source>
        <translation>Diese Woche</translation>
    </message>
    <message>
        <source>This month</source>
        <translation>Diesen Monat</translation>
    </message>
    <message>
        <source>Older</source>
        <translation>Älter</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Archived</source>
        <translation>Archiviert</translation>
    </message>
</context>
<context>
    <name>ChatListSearch</name>
    <message>
        <source>Search all chats</source>
        <translation>Alle Chats durchsuchen</translation>
    </message>
    <message>
        <source>Search all chats and messages</source>
        <translation>Alle Chats und Nachrichten durchsuchen</translation>
    </message>
</context>
<context>
    <name>ChatListView</name>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
</context>
<context>
    <name>ChatMenu</name>
    <message>
        <source>Close the archive</source>
        <translation>Archiv zuklappen</translation>
    </message>
    <message>
        <source>Open the archive</source>
        <translation>Archiv aufklappen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen…</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n chat(s)</source>
        <translation>
            <numerusform>%n Chat löschen</numerusform>
            <numerusform>%n Chats löschen</numerusform>
        </translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Pin to the top</source>
        <translation>Oben anheften</translation>
    </message>
    <message>
        <source>Move to a folder</source>
        <translation>In einen Ordner verschieben</translation>
    </message>
    <message>
        <source>New folder…</source>
        <translation>Neuer Ordner…</translation>
    </message>
    <message>
        <source>Out of the folder</source>
        <translation>Aus dem Ordner nehmen</translation>
    </message>
    <message>
        <source>Take out of the archive</source>
        <translation>Aus dem Archiv holen</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archivieren</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Rename the folder…</source>
        <translation>Ordner umbenennen…</translation>
    </message>
    <message>
        <source>Export its chats…</source>
        <translation>Seine Chats exportieren…</translation>
    </message>
    <message>
        <source>Dissolve the folder, keep its chats</source>
        <translation>Ordner auflösen, Chats behalten</translation>
    </message>
</context>
<context>
    <name>ChatSession</name>
    <message>
        <source>The engine could not finish this answer. Try again.</source>
        <translation>Die Engine konnte diese Antwort nicht beenden. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Write a message first, then send it.</source>
        <translation>Schreiben Sie erst eine Nachricht, dann senden Sie sie.</translation>
    </message>
    <message>
        <source>A message cannot be empty. Delete it instead.</source>
        <translation>Eine Nachricht kann nicht leer sein. Löschen Sie sie stattdessen.</translation>
    </message>
    <message>
        <source>The answer is still on its way. Stop it first, or wait for its end.</source>
        <translation>Die Antwort ist noch unterwegs. Halten Sie sie erst an oder warten Sie ihr Ende ab.</translation>
    </message>
    <message>
        <source>The chat is still being changed. Send it again in a moment.</source>
        <translation>Der Chat wird gerade noch geändert. Senden Sie gleich noch einmal.</translation>
    </message>
    <message>
        <source>The beginning of this chat is still being read. Send it again in a moment.</source>
        <translation>Der Anfang dieses Chats wird noch gelesen. Senden Sie gleich noch einmal.</translation>
    </message>
    <message>
        <source>Your message was not sent, because it could not be saved: {reason}</source>
        <translation>Ihre Nachricht wurde nicht gesendet, weil sie nicht gespeichert werden konnte: {reason}</translation>
    </message>
    <message>
        <source>The chat could not be changed. {reason}</source>
        <translation>Der Chat konnte nicht geändert werden. {reason}</translation>
    </message>
    <message>
        <source>Your message makes {prompt} tokens with this chat; the model reads {context}, which leaves too little room for an answer. Shorten it, or begin a new chat.</source>
        <translation>Ihre Nachricht ergibt mit diesem Chat {prompt} Token; das Modell liest {context}, und so bleibt zu wenig Platz für eine Antwort. Kürzen Sie sie oder beginnen Sie einen neuen Chat.</translation>
    </message>
    <message>
        <source>Your message makes {prompt} tokens with this chat; the model reads {context}. Shorten it, or begin a new chat.</source>
        <translation>Ihre Nachricht ergibt mit diesem Chat {prompt} Token; das Modell liest {context}. Kürzen Sie sie oder beginnen Sie einen neuen Chat.</translation>
    </message>
    <message>
        <source>The beginning of this chat could not be read: {reason}</source>
        <translation>Der Anfang dieses Chats konnte nicht gelesen werden: {reason}</translation>
    </message>
</context>
<context>
    <name>ChatSettings</name>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>Empty: the model gets no instructions besides the chat</source>
        <translation>Leer: Das Modell bekommt außer dem Chat keine Anweisungen</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>Use the default prompt</source>
        <translation>Standardprompt verwenden</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Sampling</translation>
    </message>
    <message>
        <source>An empty field leaves it to the model&apos;s own default.</source>
        <translation>Ein leeres Feld überlässt es der Vorgabe des Modells.</translation>
    </message>
    <message>
        <source>Stop strings</source>
        <translation>Stopptexte</translation>
    </message>
    <message>
        <source>Form of the answer</source>
        <translation>Form der Antwort</translation>
    </message>
    <message>
        <source>When the chat is longer than the model reads</source>
        <translation>Wenn der Chat länger ist, als das Modell liest</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Reset everything</source>
        <translation>Alles zurücksetzen</translation>
    </message>
    <message>
        <source>Ask which messages to leave out</source>
        <translation>Fragen, welche Nachrichten wegbleiben</translation>
    </message>
    <message>
        <source>Leave out the oldest messages</source>
        <translation>Die ältesten Nachrichten weglassen</translation>
    </message>
    <message>
        <source>Refuse to send</source>
        <translation>Nicht senden</translation>
    </message>
    <message>
        <source>As in the settings: {what}</source>
        <translation>Wie in den Einstellungen: {what}</translation>
    </message>
    <message>
        <source>Settings of “{title}”</source>
        <translation>Einstellungen von „{title}“</translation>
    </message>
</context>
<context>
    <name>ChatTab</name>
    <message>
        <source>Waiting for a place at the model…</source>
        <translation>Wartet auf einen Platz am Modell…</translation>
    </message>
    <message>
        <source>Waiting for {model}…</source>
        <translation>Wartet auf {model}…</translation>
    </message>
    <message>
        <source>Waiting for the model…</source>
        <translation>Wartet auf das Modell…</translation>
    </message>
    <message>
        <source>Number {position} of {total} in line.</source>
        <translation>Nummer {position} von {total} in der Reihe.</translation>
    </message>
</context>
<context>
    <name>ChatTitle</name>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
</context>
<context>
    <name>ChattingPage</name>
    <message>
        <source>Chatting</source>
        <translation>Chatten</translation>
    </message>
    <message>
        <source>Enter sends, Shift+Enter starts a new line</source>
        <translation>Enter sendet, Umschalt+Enter beginnt eine neue Zeile</translation>
    </message>
    <message>
        <source>Ctrl+Enter sends, Enter starts a new line</source>
        <translation>Strg+Enter sendet, Enter beginnt eine neue Zeile</translation>
    </message>
    <message>
        <source>Sending</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Written by the model</source>
        <translation>Vom Modell geschrieben</translation>
    </message>
    <message>
        <source>Your first words</source>
        <translation>Ihre ersten Worte</translation>
    </message>
    <message>
        <source>Titles of new chats</source>
        <translation>Titel neuer Chats</translation>
    </message>
    <message>
        <source>The model writes a title when it has nothing else to do.</source>
        <translation>Das Modell schreibt einen Titel, wenn es sonst nichts zu tun hat.</translation>
    </message>
    <message>
        <source>Ask me what to do</source>
        <translation>Mich fragen</translation>
    </message>
    <message>
        <source>Leave out the oldest messages</source>
        <translation>Die ältesten Nachrichten weglassen</translation>
    </message>
    <message>
        <source>Send nothing</source>
        <translation>Nichts senden</translation>
    </message>
    <message>
        <source>When a chat is longer than the model can read</source>
        <translation>Wenn ein Chat länger ist, als das Modell lesen kann</translation>
    </message>
    <message>
        <source>For chats that have no rule of their own. Nothing is left out silently.</source>
        <translation>Für Chats ohne eigene Regel. Nichts wird stillschweigend weggelassen.</translation>
    </message>
    <message>
        <source>None: new chats start without instructions</source>
        <translation>Keiner: Neue Chats beginnen ohne Anweisungen</translation>
    </message>
    <message>
        <source>System prompt of new chats</source>
        <translation>Systemprompt neuer Chats</translation>
    </message>
    <message>
        <source>Chats that are there already keep theirs.</source>
        <translation>Bestehende Chats behalten ihren.</translation>
    </message>
    <message>
        <source>Take the original one</source>
        <translation>Den ursprünglichen nehmen</translation>
    </message>
    <message>
        <source>Tell me when a long answer is there</source>
        <translation>Melden, wenn eine lange Antwort da ist</translation>
    </message>
    <message>
        <source>Only while you look elsewhere. It names the chat, never what it says.</source>
        <translation>Nur während Sie woanders hinsehen. Genannt wird der Chat, nie sein Inhalt.</translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>Code, {language}</source>
        <translation>Code, {language}</translation>
    </message>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Code kopieren</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Type a command or the title of a chat</source>
        <translation>Befehl oder Titel eines Chats eingeben</translation>
    </message>
    <message>
        <source>Command or chat</source>
        <translation>Befehl oder Chat</translation>
    </message>
    <message>
        <source>What fits</source>
        <translation>Passende Einträge</translation>
    </message>
    <message>
        <source>Nothing fits.</source>
        <translation>Nichts passt.</translation>
    </message>
</context>
<context>
    <name>CompactStrip</name>
    <message>
        <source>Monitor</source>
        <translation>Monitor</translation>
    </message>
    <message>
        <source>Open the monitor in a window</source>
        <translation>Den Monitor in einem Fenster öffnen</translation>
    </message>
    <message>
        <source>Close the monitor</source>
        <translation>Monitor schließen</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>Nachricht schreiben</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>Antwort anhalten</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>Nachricht senden</translation>
    </message>
    <message>
        <source>Enter sends · Shift+Enter starts a new line</source>
        <translation>Enter sendet · Umschalt+Enter beginnt eine neue Zeile</translation>
    </message>
    <message>
        <source>Ctrl+Enter sends · Enter starts a new line</source>
        <translation>Strg+Enter sendet · Enter beginnt eine neue Zeile</translation>
    </message>
    <message>
        <source>This is a picture. Models are given text only here.</source>
        <translation>Das ist ein Bild. Modelle bekommen hier nur Text.</translation>
    </message>
</context>
<context>
    <name>ComposerTools</name>
    <message>
        <source>Attach text files</source>
        <translation>Textdateien anhängen</translation>
    </message>
    <message>
        <source>Attach text files; you can drop them here too</source>
        <translation>Textdateien anhängen; Sie können sie auch hierher ziehen</translation>
    </message>
    <message>
        <source>Settings of this chat: {facts}</source>
        <translation>Einstellungen dieses Chats: {facts}</translation>
    </message>
    <message>
        <source>Settings of this chat</source>
        <translation>Einstellungen dieses Chats</translation>
    </message>
    <message>
        <source>System prompt, preset and sampling of this chat: all defaults</source>
        <translation>Systemprompt, Vorlage und Sampling dieses Chats: alles Standard</translation>
    </message>
</context>
<context>
    <name>ConstraintCheck</name>
    <message>
        <source>This is longer than {count} characters.</source>
        <translation>Das ist länger als {count} Zeichen.</translation>
    </message>
    <message>
        <source>Line {line}, column {column}: {reason}</source>
        <translation>Zeile {line}, Spalte {column}: {reason}</translation>
    </message>
    <message>
        <source>This is nested too deeply.</source>
        <translation>Das ist zu tief verschachtelt.</translation>
    </message>
    <message>
        <source>A schema is an object: it begins with a brace.</source>
        <translation>Ein Schema ist ein Objekt: Es beginnt mit einer geschweiften Klammer.</translation>
    </message>
    <message>
        <source>There is no type {kind} in JSON.</source>
        <translation>Den Typ {kind} gibt es in JSON nicht.</translation>
    </message>
    <message>
        <source>“properties” must be an object.</source>
        <translation>„properties“ muss ein Objekt sein.</translation>
    </message>
    <message>
        <source>This pattern cannot be read: {reason}</source>
        <translation>Dieses Muster ist nicht lesbar: {reason}</translation>
    </message>
    <message>
        <source>Look-around and references back to a group cannot be used here.</source>
        <translation>Umgebungsprüfungen und Rückverweise auf eine Gruppe sind hier nicht möglich.</translation>
    </message>
</context>
<context>
    <name>ContextSlider</name>
    <message>
        <source>{count} tokens</source>
        <translation>{count} Token</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>passt</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>passt nicht</translation>
    </message>
</context>
<context>
    <name>Conversation</name>
    <message>
        <source>This chat could not be saved: {reason} It is kept here and tried again.</source>
        <translation>Dieser Chat konnte nicht gespeichert werden: {reason} Er bleibt hier, und es wird erneut versucht.</translation>
    </message>
</context>
<context>
    <name>DatesDialog</name>
    <message>
        <source>Search in a time</source>
        <translation>In einem Zeitraum suchen</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
</context>
<context>
    <name>DesktopNotifications</name>
    <message>
        <source>Show the chat</source>
        <translation>Chat zeigen</translation>
    </message>
</context>
<context>
    <name>DiscoverModel</name>
    <message>
        <source>a build may fit</source>
        <translation>eine Ausgabe passt vielleicht</translation>
    </message>
    <message>
        <source>installed</source>
        <translation>installiert</translation>
    </message>
    <message>
        <source>by {owner}</source>
        <translation>von {owner}</translation>
    </message>
    <message>
        <source>a build of the model above</source>
        <translation>eine Ausgabe des Modells darüber</translation>
    </message>
    <message>
        <source>unfolded</source>
        <translation>aufgeklappt</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>zugeklappt</translation>
    </message>
</context>
<context>
    <name>DiscoverPage</name>
    <message>
        <source>Search the hub for models</source>
        <translation>Im Hub nach Modellen suchen</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Searching the hub…</source>
        <translation>Der Hub wird durchsucht…</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>Search without limits</source>
        <translation>Ohne Eingrenzung suchen</translation>
    </message>
    <message>
        <source>Back to the beginning</source>
        <translation>Zurück zum Anfang</translation>
    </message>
</context>
<context>
    <name>DiscoverWords</name>
    <message numerus="yes">
        <source>%n model(s) so far</source>
        <translation>
            <numerusform>bisher %n Modell</numerusform>
            <numerusform>bisher %n Modelle</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n Modell</numerusform>
            <numerusform>%n Modelle</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The hub has %n model(s) by these words</source>
        <translation>
            <numerusform>Der Hub hat %n Modell zu diesen Worten</numerusform>
            <numerusform>Der Hub hat %n Modelle zu diesen Worten</numerusform>
        </translation>
    </message>
    <message>
        <source>Well-known, openly licensed, in builds that this program runs best. The list is here without a network; the files come from the hub when you download one.</source>
        <translation>Bekannt, frei lizenziert und in Ausgaben, die dieses Programm am besten ausführt. Die Liste ist auch ohne Netz da; die Dateien kommen aus dem Hub, wenn Sie eines herunterladen.</translation>
    </message>
    <message>
        <source>Your limits count from the first search on.</source>
        <translation>Ihre Eingrenzungen gelten ab der ersten Suche.</translation>
    </message>
    <message>
        <source>Good models to begin with</source>
        <translation>Gute Modelle für den Anfang</translation>
    </message>
    <message>
        <source>{count} left out that would not run or are not wanted</source>
        <translation>{count} ausgelassen, die nicht laufen würden oder nicht gewünscht sind</translation>
    </message>
    <message>
        <source>, but none within your limits that this program can run.</source>
        <translation>, aber keines innerhalb Ihrer Eingrenzungen, das dieses Programm ausführen kann.</translation>
    </message>
    <message>
        <source>, but none that this program can run: they make pictures or sounds, or come in a format of another program.</source>
        <translation>, aber keines, das dieses Programm ausführen kann: Sie machen Bilder oder Töne oder haben das Format eines anderen Programms.</translation>
    </message>
    <message>
        <source>No model on the hub goes by these words within your limits.</source>
        <translation>Kein Modell im Hub passt zu diesen Wörtern innerhalb Ihrer Eingrenzungen.</translation>
    </message>
    <message>
        <source>No model on the hub goes by these words. Fewer words find more.</source>
        <translation>Kein Modell im Hub passt zu diesen Wörtern. Weniger Wörter finden mehr.</translation>
    </message>
    <message>
        <source>Small: for 8 GB of GPU memory, or the processor</source>
        <translation>Klein: für 8 GB GPU-Speicher oder den Prozessor</translation>
    </message>
    <message>
        <source>Medium: for 16 GB of GPU memory</source>
        <translation>Mittel: für 16 GB GPU-Speicher</translation>
    </message>
    <message>
        <source>Large: for 24 GB of GPU memory and more</source>
        <translation>Groß: für 24 GB GPU-Speicher und mehr</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>Logisches Denken</translation>
    </message>
    <message>
        <source>Languages</source>
        <translation>Sprachen</translation>
    </message>
</context>
<context>
    <name>DownloadDesk</name>
    <message>
        <source>What has come of {model} could not be removed: {reason}</source>
        <translation>Was von {model} da ist, konnte nicht entfernt werden: {reason}</translation>
    </message>
</context>
<context>
    <name>DownloadRow</name>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Progress of {model}</source>
        <translation>Fortschritt von {model}</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Leave out of the list; the model stays</source>
        <translation>Aus der Liste nehmen; das Modell bleibt</translation>
    </message>
    <message>
        <source>Give it up and remove what has come</source>
        <translation>Aufgeben und entfernen, was schon da ist</translation>
    </message>
    <message>
        <source>Sooner</source>
        <translation>Früher</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>{action}: {model}</source>
        <translation>{action}: {model}</translation>
    </message>
    <message>
        <source>Sign in…</source>
        <translation>Anmelden…</translation>
    </message>
    <message>
        <source>Open its page…</source>
        <translation>Seite öffnen…</translation>
    </message>
    <message>
        <source>Try now</source>
        <translation>Jetzt versuchen</translation>
    </message>
</context>
<context>
    <name>Downloads</name>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n läuft</numerusform>
            <numerusform>%n laufen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiting</source>
        <translation>
            <numerusform>%n wartet</numerusform>
            <numerusform>%n warten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n paused</source>
        <translation>
            <numerusform>%n angehalten</numerusform>
            <numerusform>%n angehalten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not finished</source>
        <translation>
            <numerusform>%n nicht fertig</numerusform>
            <numerusform>%n nicht fertig</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n installed</source>
        <translation>
            <numerusform>%n installiert</numerusform>
            <numerusform>%n installiert</numerusform>
        </translation>
    </message>
    <message>
        <source>Waits for its turn</source>
        <translation>Wartet, bis es an der Reihe ist</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Not finished</source>
        <translation>Nicht fertig</translation>
    </message>
    <message>
        <source>Installed</source>
        <translation>Installiert</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Startet</translation>
    </message>
    <message>
        <source>Asking what there is</source>
        <translation>Fragt, was es gibt</translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation>Wird heruntergeladen</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Checking every byte</source>
        <translation>Jedes Byte wird geprüft</translation>
    </message>
    <message>
        <source>Putting it in place</source>
        <translation>Kommt an seinen Platz</translation>
    </message>
    <message>
        <source>The download ended without a word: it was killed, or memory ran out. What has come is kept; try again.</source>
        <translation>Der Download endete ohne ein Wort: Er wurde beendet, oder der Speicher ging aus. Was da ist, bleibt; versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Nobody knows why. Try again.</source>
        <translation>Niemand weiß, warum. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Tried again in {time}.</source>
        <translation>Neuer Versuch in {time}.</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} von {total}</translation>
    </message>
    <message>
        <source>{done} of {count} files</source>
        <translation>{done} von {count} Dateien</translation>
    </message>
    <message>
        <source>{size}/s</source>
        <translation>{size}/s</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>noch {time}</translation>
    </message>
    <message>
        <source>{count} downloading: {percent} %</source>
        <translation>{count} werden heruntergeladen: {percent} %</translation>
    </message>
    <message>
        <source>{count} downloading</source>
        <translation>{count} werden heruntergeladen</translation>
    </message>
</context>
<context>
    <name>DownloadsPage</name>
    <message>
        <source>Downloads</source>
        <translation>Downloads</translation>
    </message>
    <message>
        <source>Pause all</source>
        <translation>Alle anhalten</translation>
    </message>
    <message>
        <source>Go on with all</source>
        <translation>Alle fortsetzen</translation>
    </message>
    <message>
        <source>Clear finished</source>
        <translation>Fertige ausblenden</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Nothing is being downloaded</source>
        <translation>Nichts wird heruntergeladen</translation>
    </message>
    <message>
        <source>A model that you download is shown here until it is installed. It goes on after a restart, and nothing that has come is fetched twice.</source>
        <translation>Ein Modell, das Sie herunterladen, ist hier zu sehen, bis es installiert ist. Nach einem Neustart geht es weiter, und nichts, was da ist, wird zweimal geholt.</translation>
    </message>
    <message>
        <source>Find a model…</source>
        <translation>Modell suchen…</translation>
    </message>
    <message>
        <source>You are offline by choice: what is wanted waits until you go online.</source>
        <translation>Sie haben offline gewählt: Was gewünscht ist, wartet, bis Sie online gehen.</translation>
    </message>
    <message>
        <source>Go online</source>
        <translation>Online gehen</translation>
    </message>
    <message>
        <source>Give the download up</source>
        <translation>Download aufgeben</translation>
    </message>
    <message>
        <source>Give up the download of {model}?</source>
        <translation>Den Download von {model} aufgeben?</translation>
    </message>
    <message>
        <source>{size} have come and will be removed. To go on another time, pause it instead.</source>
        <translation>{size} sind schon da und werden entfernt. Um ein andermal weiterzumachen, halten Sie ihn stattdessen an.</translation>
    </message>
    <message>
        <source>Give it up</source>
        <translation>Aufgeben</translation>
    </message>
</context>
<context>
    <name>EditMode</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>Getting ready</source>
        <translation>Wird vorbereitet</translation>
    </message>
    <message>
        <source>starting the engine&apos;s libraries</source>
        <translation>Bibliotheken der Engine werden gestartet</translation>
    </message>
    <message>
        <source>reading the file&apos;s vocabulary</source>
        <translation>Vokabular der Datei wird gelesen</translation>
    </message>
    <message>
        <source>reading weights</source>
        <translation>Gewichte werden gelesen</translation>
    </message>
    <message>
        <source>measuring memory</source>
        <translation>Speicher wird gemessen</translation>
    </message>
    <message>
        <source>setting memory aside for chats</source>
        <translation>Speicher für Chats wird bereitgestellt</translation>
    </message>
    <message>
        <source>warming up</source>
        <translation>Warmlaufen</translation>
    </message>
    <message>
        <source>Engine stopped</source>
        <translation>Engine gestoppt</translation>
    </message>
    <message>
        <source>Engine starting</source>
        <translation>Engine startet</translation>
    </message>
    <message>
        <source>No model loaded</source>
        <translation>Kein Modell geladen</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Lädt</translation>
    </message>
    <message>
        <source>Waking</source>
        <translation>Erwacht</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Sleeping</source>
        <translation>Schläft</translation>
    </message>
    <message>
        <source>Engine restarting</source>
        <translation>Engine startet neu</translation>
    </message>
    <message>
        <source>Engine failed</source>
        <translation>Engine ausgefallen</translation>
    </message>
</context>
<context>
    <name>EngineBanner</name>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Building the starter model</source>
        <translation>Das Startmodell wird gebaut</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>No model is loaded.</source>
        <translation>Kein Modell ist geladen.</translation>
    </message>
    <message>
        <source>Messages you send wait until one is.</source>
        <translation>Gesendete Nachrichten warten, bis eines da ist.</translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation>Modell wählen…</translation>
    </message>
    <message>
        <source>Show log</source>
        <translation>Protokoll zeigen</translation>
    </message>
    <message>
        <source>the model</source>
        <translation>das Modell</translation>
    </message>
    <message>
        <source>Waking {model}</source>
        <translation>{model} erwacht</translation>
    </message>
    <message>
        <source>Starting the engine</source>
        <translation>Die Engine startet</translation>
    </message>
    <message>
        <source>You can write and send already.</source>
        <translation>Sie können schon schreiben und senden.</translation>
    </message>
    <message>
        <source>Loading {model}</source>
        <translation>{model} wird geladen</translation>
    </message>
    <message>
        <source>The engine stopped. Answers so far are kept.</source>
        <translation>Die Engine ist stehen geblieben. Bisherige Antworten sind gesichert.</translation>
    </message>
    <message>
        <source>It took {seconds} s the last time.</source>
        <translation>Beim letzten Mal dauerte es {seconds} s.</translation>
    </message>
    <message>
        <source>The model</source>
        <translation>Das Modell</translation>
    </message>
    <message>
        <source>{model} sleeps, since nobody asked it anything.</source>
        <translation>{model} schläft, weil niemand es etwas gefragt hat.</translation>
    </message>
    <message>
        <source>{model} sleeps: its memory is free for other programs.</source>
        <translation>{model} schläft: Sein Speicher ist frei für andere Programme.</translation>
    </message>
    <message>
        <source>Your next message wakes it, in about {seconds} s.</source>
        <translation>Ihre nächste Nachricht weckt es in etwa {seconds} s.</translation>
    </message>
    <message>
        <source>Your next message wakes it.</source>
        <translation>Ihre nächste Nachricht weckt es.</translation>
    </message>
    <message>
        <source>Wake it now</source>
        <translation>Jetzt wecken</translation>
    </message>
    <message>
        <source>Step {step} of {steps}: {stage}</source>
        <translation>Schritt {step} von {steps}: {stage}</translation>
    </message>
    <message>
        <source>It starts again in {seconds} s (try {count}).</source>
        <translation>Sie startet in {seconds} s neu (Versuch {count}).</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
    <message>
        <source>The engine failed.</source>
        <translation>Die Engine ist ausgefallen.</translation>
    </message>
    <message>
        <source>{count} messages wait; nothing is lost.</source>
        <translation>{count} Nachrichten warten; nichts geht verloren.</translation>
    </message>
    <message>
        <source>One message waits; nothing is lost.</source>
        <translation>Eine Nachricht wartet; nichts geht verloren.</translation>
    </message>
</context>
<context>
    <name>EngineCare</name>
    <message>
        <source>Build the starter model</source>
        <translation>Startmodell bauen</translation>
    </message>
    <message>
        <source>Load the starter model</source>
        <translation>Startmodell laden</translation>
    </message>
    <message>
        <source>These settings cannot be used: {error}</source>
        <translation>Diese Einstellungen sind nicht möglich: {error}</translation>
    </message>
    <message>
        <source>Converting {model}</source>
        <translation>{model} wird umgewandelt</translation>
    </message>
    <message>
        <source>Reading the file</source>
        <translation>Die Datei wird gelesen</translation>
    </message>
    <message>
        <source>The model could not be converted: {reason}</source>
        <translation>Das Modell konnte nicht umgewandelt werden: {reason}</translation>
    </message>
</context>
<context>
    <name>EngineDesk</name>
    <message>
        <source>Loading another model interrupts them.</source>
        <translation>Ein anderes Modell zu laden unterbricht sie.</translation>
    </message>
    <message>
        <source>Putting the models to sleep interrupts them.</source>
        <translation>Das Schlafenlegen der Modelle unterbricht sie.</translation>
    </message>
    <message>
        <source>Open chats that the new model answers from then on: {count}.</source>
        <translation>Offene Chats, in denen fortan das neue Modell antwortet: {count}.</translation>
    </message>
    <message>
        <source>Open chats that wait until {model} is loaded again: {count}.</source>
        <translation>Offene Chats, die warten, bis {model} wieder geladen ist: {count}.</translation>
    </message>
    <message>
        <source>Convert the model</source>
        <translation>Modell umwandeln</translation>
    </message>
    <message>
        <source>It is loaded then; until then {model} stays loaded.</source>
        <translation>Es wird dann geladen; bis dahin bleibt {model} geladen.</translation>
    </message>
    <message>
        <source>Convert and load</source>
        <translation>Umwandeln und laden</translation>
    </message>
    <message>
        <source>{reason} {model} stays loaded.</source>
        <translation>{reason} {model} bleibt geladen.</translation>
    </message>
    <message>
        <source>Unloading the model interrupts them.</source>
        <translation>Das Modell zu entladen unterbricht sie.</translation>
    </message>
    <message>
        <source>Reading the installed package</source>
        <translation>Das installierte Paket wird gelesen</translation>
    </message>
    <message>
        <source>The starter model could not be built: {reason}</source>
        <translation>Das Startmodell konnte nicht gebaut werden: {reason}</translation>
    </message>
    <message>
        <source>Answers are on their way</source>
        <translation>Antworten sind unterwegs</translation>
    </message>
    <message>
        <source>The trial interrupts them.</source>
        <translation>Der Versuch unterbricht sie.</translation>
    </message>
    <message>
        <source>Nothing is known of a load of {model} yet.</source>
        <translation>Von einem Ladevorgang von {model} ist noch nichts bekannt.</translation>
    </message>
    <message>
        <source>a model</source>
        <translation>einem Modell</translation>
    </message>
    <message>
        <source>Another model</source>
        <translation>Anderes Modell</translation>
    </message>
    <message>
        <source>Other chats are concerned.</source>
        <translation>Andere Chats sind betroffen.</translation>
    </message>
    <message>
        <source>{count} chats are being answered by {model}.</source>
        <translation>{count} Chats werden gerade von {model} beantwortet.</translation>
    </message>
    <message>
        <source>A chat is being answered by {model}.</source>
        <translation>Ein Chat wird gerade von {model} beantwortet.</translation>
    </message>
    <message>
        <source>{consequence} What is written so far is kept.</source>
        <translation>{consequence} Was bisher geschrieben ist, bleibt erhalten.</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
</context>
<context>
    <name>EnginePage</name>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Model at the start</source>
        <translation>Modell beim Start</translation>
    </message>
    <message>
        <source>Take the starter model</source>
        <translation>Startmodell nehmen</translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation>Modell wählen…</translation>
    </message>
    <message>
        <source>A model that you choose is loaded now and at every start.</source>
        <translation>Ein gewähltes Modell wird jetzt und bei jedem Start geladen.</translation>
    </message>
    <message>
        <source>Let a model sleep when nobody has asked it anything</source>
        <translation>Ein Modell schlafen lassen, das niemand etwas gefragt hat</translation>
    </message>
    <message>
        <source>Its memory is free then. Your next message loads it again.</source>
        <translation>Sein Speicher ist dann frei. Ihre nächste Nachricht lädt es wieder.</translation>
    </message>
    <message>
        <source>Models may be loaded beside each other</source>
        <translation>Modelle dürfen nebeneinander geladen sein</translation>
    </message>
    <message>
        <source>Each chat can have a model of its own then. Every model takes its memory.</source>
        <translation>Jeder Chat kann dann ein eigenes Modell haben. Jedes Modell braucht seinen Speicher.</translation>
    </message>
    <message>
        <source>Precise model</source>
        <translation>Genaues Modell</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keines</translation>
    </message>
    <message>
        <source>Choose the precise model…</source>
        <translation>Genaues Modell wählen…</translation>
    </message>
    <message>
        <source>Offered first where you have an answer given again: an unquantised model, say, beside the quantised one.</source>
        <translation>Wird zuerst angeboten, wenn Sie noch einmal antworten lassen: etwa ein unquantisiertes Modell neben dem quantisierten.</translation>
    </message>
    <message>
        <source>Engine log</source>
        <translation>Engine-Protokoll</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>After {count} minutes</source>
        <translation>Nach {count} Minuten</translation>
    </message>
    <message>
        <source>Choose the folder of the precise model</source>
        <translation>Den Ordner des genauen Modells wählen</translation>
    </message>
    <message>
        <source>The starter model</source>
        <translation>Das Startmodell</translation>
    </message>
    <message>
        <source>None chosen</source>
        <translation>Keines gewählt</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n Chat</numerusform>
            <numerusform>%n Chats</numerusform>
        </translation>
    </message>
    <message>
        <source>“{title}”</source>
        <translation>„{title}“</translation>
    </message>
    <message numerus="yes">
        <source>All chats: %n</source>
        <translation>
            <numerusform>Alle Chats: %n</numerusform>
            <numerusform>Alle Chats: %n</numerusform>
        </translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>A folder with one file for each chat.</source>
        <translation>Ein Ordner mit einer Datei je Chat.</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>To read and to go on writing elsewhere. The branch that is shown.</source>
        <translation>Zum Lesen und Weiterschreiben anderswo. Der gezeigte Zweig.</translation>
    </message>
    <message>
        <source>HTML</source>
        <translation>HTML</translation>
    </message>
    <message>
        <source>To read in a browser, to print or to pass on. The branch that is shown.</source>
        <translation>Zum Lesen im Browser, Drucken oder Weitergeben. Der gezeigte Zweig.</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Everything: all branches, attachments and figures. Can be imported again.</source>
        <translation>Alles: alle Zweige, Anhänge und Zahlen. Kann wieder importiert werden.</translation>
    </message>
    <message>
        <source>Inglenook chats {day}</source>
        <translation>Inglenook-Chats {day}</translation>
    </message>
    <message>
        <source>{done} of {total} chats</source>
        <translation>{done} von {total} Chats</translation>
    </message>
</context>
<context>
    <name>Failures</name>
    <message>
        <source>The engine gave this answer up. The log may say why.</source>
        <translation>Die Engine hat diese Antwort aufgegeben. Das Protokoll sagt vielleicht, warum.</translation>
    </message>
    <message>
        <source>The model is not loaded yet.</source>
        <translation>Das Modell ist noch nicht geladen.</translation>
    </message>
    <message>
        <source>This chat is too large to hand to the engine.</source>
        <translation>Dieser Chat ist zu groß, um ihn der Engine zu geben.</translation>
    </message>
    <message>
        <source>The path of this model is not valid UTF-8. Rename its folder, then choose it again.</source>
        <translation>Der Pfad dieses Modells ist kein gültiges UTF-8. Benennen Sie seinen Ordner um und wählen Sie ihn dann noch einmal.</translation>
    </message>
    <message>
        <source>This engine already has a model; a new model needs a new engine.</source>
        <translation>Diese Engine hat schon ein Modell; ein neues braucht eine neue Engine.</translation>
    </message>
    <message>
        <source>The window and the engine do not understand each other; restart Inglenook.</source>
        <translation>Fenster und Engine verstehen einander nicht; starten Sie Inglenook neu.</translation>
    </message>
    <message>
        <source>The engine could not be started: {reason}. Run ./packaging/run to repair ({python}).</source>
        <translation>Die Engine konnte nicht gestartet werden: {reason}. Führen Sie zur Reparatur ./packaging/run aus ({python}).</translation>
    </message>
    <message>
        <source>The engine stopped {deaths} times in a row (the last time with signal {signal}).</source>
        <translation>Die Engine ist {deaths}-mal in Folge stehen geblieben (zuletzt mit Signal {signal}).</translation>
    </message>
    <message>
        <source>The engine stopped {deaths} times in a row (the last time with exit code {code}).</source>
        <translation>Die Engine ist {deaths}-mal in Folge stehen geblieben (zuletzt mit Code {code}).</translation>
    </message>
    <message>
        <source>Shorten the message</source>
        <translation>Nachricht kürzen</translation>
    </message>
    <message>
        <source>This model has {heads} attention heads, which cannot be divided among {parts} GPUs.</source>
        <translation>Dieses Modell hat {heads} Attention-Köpfe; auf {parts} GPUs lassen sie sich nicht aufteilen.</translation>
    </message>
    <message>
        <source>This model cannot be divided among so many GPUs.</source>
        <translation>Dieses Modell lässt sich nicht auf so viele GPUs aufteilen.</translation>
    </message>
    <message>
        <source>This chat makes {tokens} tokens; the model reads {context}.</source>
        <translation>Dieser Chat ergibt {tokens} Token; das Modell liest {context}.</translation>
    </message>
    <message>
        <source>This chat is longer than the model can read.</source>
        <translation>Dieser Chat ist länger, als das Modell lesen kann.</translation>
    </message>
    <message>
        <source>{asked} GPUs are asked for, and there are {there}.</source>
        <translation>Verlangt sind {asked} GPUs, vorhanden {there}.</translation>
    </message>
    <message>
        <source>The link between the GPUs failed ({reason}).</source>
        <translation>Die Verbindung zwischen den GPUs ist ausgefallen ({reason}).</translation>
    </message>
    <message>
        <source>This machine&apos;s processor cannot be divided among {parts} workers.</source>
        <translation>Der Prozessor dieses Rechners lässt sich nicht auf {parts} Prozesse aufteilen.</translation>
    </message>
    <message>
        <source>This machine&apos;s processor cannot be divided among so many workers.</source>
        <translation>Der Prozessor dieses Rechners lässt sich nicht auf so viele Prozesse aufteilen.</translation>
    </message>
    <message>
        <source>No usable GPU was found: the driver is missing, too old, or the GPU was lost. ./packaging/run doctor says more.</source>
        <translation>Keine brauchbare GPU gefunden: Der Treiber fehlt oder ist zu alt, oder die GPU ging verloren. ./packaging/run doctor sagt mehr.</translation>
    </message>
    <message>
        <source>The GPU failed while it computed, or was lost.</source>
        <translation>Die GPU fiel beim Rechnen aus oder ging verloren.</translation>
    </message>
    <message>
        <source>A process of the engine no longer answered, and was ended.</source>
        <translation>Ein Prozess der Engine antwortete nicht mehr und wurde beendet.</translation>
    </message>
    <message>
        <source>A process of the engine died. The end of the log may say why.</source>
        <translation>Ein Prozess der Engine ist gestorben. Das Ende des Protokolls sagt vielleicht, warum.</translation>
    </message>
    <message>
        <source>A process of the engine failed. The log says why.</source>
        <translation>Ein Prozess der Engine ist ausgefallen. Das Protokoll sagt, warum.</translation>
    </message>
    <message>
        <source>The model could not be loaded: {reason}</source>
        <translation>Das Modell konnte nicht geladen werden: {reason}</translation>
    </message>
    <message>
        <source>The answer failed: {reason}</source>
        <translation>Die Antwort ist misslungen: {reason}</translation>
    </message>
    <message>
        <source>The engine failed: {reason}</source>
        <translation>Die Engine ist ausgefallen: {reason}</translation>
    </message>
    <message>
        <source>The model could not be put to sleep or woken: {reason}</source>
        <translation>Das Modell konnte nicht schlafen gelegt oder geweckt werden: {reason}</translation>
    </message>
    <message>
        <source>no reason was given</source>
        <translation>kein Grund genannt</translation>
    </message>
    <message>
        <source>Loading the model stands still.</source>
        <translation>Das Laden des Modells steht still.</translation>
    </message>
    <message>
        <source>This chat makes {tokens} tokens; the model reads {context}, its answer included. Shorten the message, or start a new chat.</source>
        <translation>Dieser Chat ergibt {tokens} Token; das Modell liest {context}, die Antwort mitgezählt. Kürzen Sie die Nachricht oder beginnen Sie einen neuen Chat.</translation>
    </message>
    <message>
        <source>This chat makes {tokens} tokens; the model reads {context}, its answer included. Leave out the oldest messages, shorten the message, or start a new chat.</source>
        <translation>Dieser Chat ergibt {tokens} Token; das Modell liest {context}, die Antwort mitgezählt. Lassen Sie die ältesten Nachrichten weg, kürzen Sie die Nachricht oder beginnen Sie einen neuen Chat.</translation>
    </message>
    <message>
        <source>This chat makes {tokens} tokens; the model reads {context}, of which {reserve} are kept for the answer. Shorten the message, or start a new chat.</source>
        <translation>Dieser Chat ergibt {tokens} Token; das Modell liest {context}, davon sind {reserve} für die Antwort bestimmt. Kürzen Sie die Nachricht oder beginnen Sie einen neuen Chat.</translation>
    </message>
    <message>
        <source>This chat makes {tokens} tokens; the model reads {context}, of which {reserve} are kept for the answer. Leave out the oldest messages, shorten the message, or start a new chat.</source>
        <translation>Dieser Chat ergibt {tokens} Token; das Modell liest {context}, davon sind {reserve} für die Antwort bestimmt. Lassen Sie die ältesten Nachrichten weg, kürzen Sie die Nachricht oder beginnen Sie einen neuen Chat.</translation>
    </message>
    <message>
        <source>The speed cannot be measured while answers are under way.</source>
        <translation>Das Tempo lässt sich nicht messen, solange Antworten unterwegs sind.</translation>
    </message>
    <message>
        <source>On a CPU a model cannot sleep: it can only be unloaded.</source>
        <translation>Auf einer CPU kann ein Modell nicht schlafen: Es lässt sich nur entladen.</translation>
    </message>
    <message>
        <source>The model cannot sleep while answers are under way.</source>
        <translation>Das Modell kann nicht schlafen, solange Antworten unterwegs sind.</translation>
    </message>
    <message>
        <source>There is not enough free memory (RAM) for the model&apos;s weights while it sleeps: {needed} GiB are needed, {free} GiB are free.</source>
        <translation>Für die Gewichte des schlafenden Modells reicht der freie Arbeitsspeicher (RAM) nicht: {needed} GiB sind nötig, {free} GiB frei.</translation>
    </message>
    <message>
        <source>Only a loaded model that is awake can be put to sleep.</source>
        <translation>Nur ein geladenes, waches Modell kann schlafen gelegt werden.</translation>
    </message>
    <message>
        <source>Only a model that sleeps can be woken.</source>
        <translation>Nur ein schlafendes Modell kann geweckt werden.</translation>
    </message>
    <message>
        <source>{file} is no GGUF file: it does not begin as one.</source>
        <translation>{file} ist keine GGUF-Datei: Sie beginnt nicht wie eine.</translation>
    </message>
    <message>
        <source>{file} was made for another kind of processor (big-endian).</source>
        <translation>{file} wurde für eine andere Art Prozessor gemacht (Big-Endian).</translation>
    </message>
    <message>
        <source>{file} is of version {version} of the GGUF format; versions 2 and 3 can be read.</source>
        <translation>{file} hat die Version {version} des GGUF-Formats; lesbar sind die Versionen 2 und 3.</translation>
    </message>
    <message>
        <source>{file} is damaged: {what}. Fetch it again.</source>
        <translation>{file} ist beschädigt: {what}. Holen Sie die Datei noch einmal.</translation>
    </message>
    <message>
        <source>{file} is not whole: {missing} of its {whole} bytes are missing. Fetch it again.</source>
        <translation>{file} ist nicht vollständig: Es fehlen {missing} von {whole} Byte. Holen Sie die Datei noch einmal.</translation>
    </message>
    <message>
        <source>{file} is one of the {count} parts of a model. Join them first, with llama.cpp&apos;s “llama-gguf-split --merge”.</source>
        <translation>{file} ist einer von {count} Teilen eines Modells. Fügen Sie die Teile erst mit „llama-gguf-split --merge“ aus llama.cpp zusammen.</translation>
    </message>
    <message>
        <source>{file} holds no language model but {what}.</source>
        <translation>{file} enthält kein Sprachmodell, sondern {what}.</translation>
    </message>
    <message>
        <source>{file} stores its weights in a way that is not known here (type {number}).</source>
        <translation>{file} speichert die Gewichte auf eine hier unbekannte Art (Typ {number}).</translation>
    </message>
    <message>
        <source>Converting {file} needs {needed} GiB of disk in {folder}; {free} GiB are free. Free some space and try again.</source>
        <translation>{file} umzuwandeln braucht {needed} GiB auf der Platte in {folder}; {free} GiB sind frei. Schaffen Sie Platz und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Converting {file} needs about {needed} GiB of memory; {free} GiB are free. Close other programs or unload the model, then try again.</source>
        <translation>{file} umzuwandeln braucht etwa {needed} GiB Arbeitsspeicher; {free} GiB sind frei. Schließen Sie andere Programme oder entladen Sie das Modell und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
        <source>There is no file {file}.</source>
        <translation>Die Datei {file} gibt es nicht.</translation>
    </message>
    <message>
        <source>{file} cannot be read ({reason}).</source>
        <translation>{file} kann nicht gelesen werden ({reason}).</translation>
    </message>
    <message>
        <source>The converted model could not be written: {reason}.</source>
        <translation>Das umgewandelte Modell konnte nicht geschrieben werden: {reason}.</translation>
    </message>
    <message>
        <source>The libraries that convert a model cannot be loaded ({reason}). Run ./packaging/run --repair.</source>
        <translation>Die Bibliotheken zum Umwandeln lassen sich nicht laden ({reason}). Führen Sie ./packaging/run --repair aus.</translation>
    </message>
    <message>
        <source>There is not enough memory to convert {file}. Close other programs.</source>
        <translation>Um {file} umzuwandeln, reicht der Arbeitsspeicher nicht. Schließen Sie andere Programme.</translation>
    </message>
    <message>
        <source>{file} cannot be converted: {reason}.</source>
        <translation>{file} kann nicht umgewandelt werden: {reason}.</translation>
    </message>
    <message>
        <source>Rebuild the starter model</source>
        <translation>Startmodell neu bauen</translation>
    </message>
    <message>
        <source>Start it again</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>The model&apos;s weights fill the memory it may use; nothing is left for the chats&apos; KV cache.</source>
        <translation>Die Gewichte des Modells füllen den erlaubten Speicher; für den KV-Cache der Chats bleibt nichts.</translation>
    </message>
    <message>
        <source>Choose another model</source>
        <translation>Anderes Modell wählen</translation>
    </message>
    <message>
        <source>The context is too long for the KV memory that is left.</source>
        <translation>Der Kontext ist zu lang für den verbleibenden KV-Speicher.</translation>
    </message>
    <message>
        <source>Other programs use part of the GPU&apos;s memory, so the share asked for is not free.</source>
        <translation>Andere Programme belegen einen Teil des GPU-Speichers, deshalb ist der verlangte Anteil nicht frei.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Another program gave GPU memory back while the model was being measured.</source>
        <translation>Ein anderes Programm hat GPU-Speicher freigegeben, während das Modell vermessen wurde.</translation>
    </message>
    <message>
        <source>There is not enough GPU memory for so many chats at once.</source>
        <translation>Für so viele Chats zugleich reicht der GPU-Speicher nicht.</translation>
    </message>
    <message>
        <source>Load without CUDA graphs</source>
        <translation>Ohne CUDA-Graphen laden</translation>
    </message>
    <message>
        <source>There is not enough free memory (RAM) for the model and its KV cache. Close other programs, or choose a smaller model.</source>
        <translation>Der freie Arbeitsspeicher (RAM) reicht nicht für das Modell und seinen KV-Cache. Schließen Sie andere Programme oder wählen Sie ein kleineres Modell.</translation>
    </message>
    <message>
        <source>There is no space left where the engine keeps files while it runs (/dev/shm or the folder of temporary files). Free some, then try again.</source>
        <translation>Dort, wo die Engine während des Laufs Dateien ablegt (/dev/shm oder der Ordner für temporäre Dateien), ist kein Platz mehr. Schaffen Sie Platz und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Show the log</source>
        <translation>Protokoll zeigen</translation>
    </message>
    <message>
        <source>Divide it between two GPUs</source>
        <translation>Auf zwei GPUs aufteilen</translation>
    </message>
    <message>
        <source>This GPU is too old for bfloat16.</source>
        <translation>Diese GPU ist zu alt für bfloat16.</translation>
    </message>
    <message>
        <source>This GPU is too old for this model&apos;s quantisation.</source>
        <translation>Diese GPU ist zu alt für die Quantisierung dieses Modells.</translation>
    </message>
    <message>
        <source>This quantisation does not work with the chosen precision.</source>
        <translation>Diese Quantisierung verträgt sich nicht mit der gewählten Genauigkeit.</translation>
    </message>
    <message>
        <source>Use one GPU</source>
        <translation>Eine GPU nutzen</translation>
    </message>
    <message>
        <source>No kernel for this model&apos;s quantisation runs on this machine.</source>
        <translation>Auf diesem Rechner läuft kein Kernel für die Quantisierung dieses Modells.</translation>
    </message>
    <message>
        <source>Use the usual KV precision</source>
        <translation>Übliche KV-Genauigkeit nutzen</translation>
    </message>
    <message>
        <source>A weight file of this model is damaged. Fetch it again.</source>
        <translation>Eine Gewichtsdatei dieses Modells ist beschädigt. Holen Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>This engine does not know this model&apos;s architecture.</source>
        <translation>Diese Engine kennt die Architektur dieses Modells nicht.</translation>
    </message>
    <message>
        <source>This model wants to run a program of its own, which Inglenook never allows.</source>
        <translation>Dieses Modell will ein eigenes Programm ausführen; das erlaubt Inglenook nie.</translation>
    </message>
    <message>
        <source>Choose a smaller model</source>
        <translation>Kleineres Modell wählen</translation>
    </message>
    <message>
        <source>Choose another build</source>
        <translation>Andere Ausgabe wählen</translation>
    </message>
    <message>
        <source>Choose an unquantised build</source>
        <translation>Unquantisierte Ausgabe wählen</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>Choose a template…</source>
        <translation>Vorlage wählen…</translation>
    </message>
    <message>
        <source>Choose a tokenizer folder…</source>
        <translation>Tokenizer-Ordner wählen…</translation>
    </message>
    <message>
        <source>Unload the other models</source>
        <translation>Die anderen Modelle entladen</translation>
    </message>
    <message>
        <source>Load in one piece</source>
        <translation>In einem Stück laden</translation>
    </message>
    <message>
        <source>Load without the direct GPU link</source>
        <translation>Ohne direkte Verbindung der GPUs laden</translation>
    </message>
    <message>
        <source>Use the model&apos;s own precision</source>
        <translation>Genauigkeit des Modells nutzen</translation>
    </message>
    <message>
        <source>Fit the context to the memory</source>
        <translation>Kontext an den Speicher anpassen</translation>
    </message>
    <message>
        <source>Convert it to safetensors</source>
        <translation>In Safetensors umwandeln</translation>
    </message>
    <message>
        <source>Load with {tokens} tokens</source>
        <translation>Mit {tokens} Token laden</translation>
    </message>
    <message>
        <source>Use {percent} % of the GPU memory</source>
        <translation>{percent} % des GPU-Speichers nutzen</translation>
    </message>
    <message>
        <source>Use {percent} % of the memory</source>
        <translation>{percent} % des Speichers nutzen</translation>
    </message>
    <message>
        <source>Load for {count} chats at once</source>
        <translation>Für {count} Chats zugleich laden</translation>
    </message>
    <message>
        <source>Load with {gib} GiB of KV cache</source>
        <translation>Mit {gib} GiB KV-Cache laden</translation>
    </message>
    <message>
        <source>Load as {dtype}</source>
        <translation>Als {dtype} laden</translation>
    </message>
    <message>
        <source>Use {count} GPUs</source>
        <translation>{count} GPUs nutzen</translation>
    </message>
    <message>
        <source>Keep {gib} GiB of it in RAM</source>
        <translation>{gib} GiB davon im RAM halten</translation>
    </message>
    <message>
        <source>Load with KV blocks of {tokens}</source>
        <translation>Mit KV-Blöcken zu {tokens} laden</translation>
    </message>
    <message>
        <source>Read {tokens} tokens a step</source>
        <translation>{tokens} Token je Schritt lesen</translation>
    </message>
    <message>
        <source>There is no room for the KV cache of a chat, not even of a short one.</source>
        <translation>Für den KV-Cache eines Chats ist kein Platz, nicht einmal für einen kurzen.</translation>
    </message>
    <message>
        <source>A chat of {asked} tokens takes {needed} GiB of KV cache, and {left} GiB are left for it.</source>
        <translation>Ein Chat mit {asked} Token braucht {needed} GiB KV-Cache; {left} GiB sind dafür übrig.</translation>
    </message>
    <message>
        <source>{wanted} GiB of the GPU&apos;s memory are asked for, and {free} of its {total} GiB are free. Held by others: {holders}.</source>
        <translation>Verlangt sind {wanted} GiB des GPU-Speichers, frei sind {free} von {total} GiB. Belegt von anderen: {holders}.</translation>
    </message>
    <message>
        <source>{wanted} GiB of the GPU&apos;s memory are asked for, and {free} of its {total} GiB are free: other programs hold the rest.</source>
        <translation>Verlangt sind {wanted} GiB des GPU-Speichers, frei sind {free} von {total} GiB: Den Rest belegen andere Programme.</translation>
    </message>
    <message>
        <source>There is not enough GPU memory for {sequences} chats at once.</source>
        <translation>Für {sequences} Chats zugleich reicht der GPU-Speicher nicht.</translation>
    </message>
    <message>
        <source>The model&apos;s weights do not fit in the GPU&apos;s memory ({capacity} GiB, {free} GiB free).</source>
        <translation>Die Gewichte des Modells passen nicht in den Speicher der GPU ({capacity} GiB, {free} GiB frei).</translation>
    </message>
    <message>
        <source>The model&apos;s weights do not fit in the GPU&apos;s memory.</source>
        <translation>Die Gewichte des Modells passen nicht in den Speicher der GPU.</translation>
    </message>
    <message>
        <source>The model and its chats do not fit in the GPU&apos;s memory.</source>
        <translation>Das Modell und seine Chats passen nicht in den Speicher der GPU.</translation>
    </message>
    <message>
        <source>{wanted} GiB of memory (RAM) are asked for, and {free} of {total} GiB are free. Other programs hold the rest.</source>
        <translation>Verlangt sind {wanted} GiB Arbeitsspeicher (RAM), frei sind {free} von {total} GiB. Den Rest belegen andere Programme.</translation>
    </message>
    <message>
        <source>There is not enough free memory (RAM) for the share asked for.</source>
        <translation>Für den verlangten Anteil reicht der freie Arbeitsspeicher (RAM) nicht.</translation>
    </message>
    <message>
        <source>{wanted} GiB of memory (RAM) are asked for as KV cache, and {free} GiB are free.</source>
        <translation>Verlangt sind {wanted} GiB Arbeitsspeicher (RAM) als KV-Cache, frei sind {free} GiB.</translation>
    </message>
    <message>
        <source>There is not enough free memory (RAM) for the KV cache asked for.</source>
        <translation>Für den verlangten KV-Cache reicht der freie Arbeitsspeicher (RAM) nicht.</translation>
    </message>
    <message>
        <source>This GPU ({gpu}) is too old for bfloat16.</source>
        <translation>Diese GPU ({gpu}) ist zu alt für bfloat16.</translation>
    </message>
    <message>
        <source>This GPU is too old for {method} models: it has compute capability {has}, they need {least}.</source>
        <translation>Diese GPU ist zu alt für {method}-Modelle: Sie hat Compute Capability {has}, nötig ist {least}.</translation>
    </message>
    <message>
        <source>{method} models do not compute in {dtype}.</source>
        <translation>{method}-Modelle rechnen nicht in {dtype}.</translation>
    </message>
    <message>
        <source>The KV cache cannot be kept in the precision asked for.</source>
        <translation>Der KV-Cache kann nicht in der verlangten Genauigkeit gehalten werden.</translation>
    </message>
    <message>
        <source>There is no precision called {dtype}.</source>
        <translation>Eine Genauigkeit namens {dtype} gibt es nicht.</translation>
    </message>
    <message>
        <source>The precision asked for is unknown.</source>
        <translation>Die verlangte Genauigkeit ist unbekannt.</translation>
    </message>
    <message>
        <source>The groups of this model&apos;s quantisation cannot be divided as its layers would have to be.</source>
        <translation>Die Gruppen der Quantisierung dieses Modells lassen sich nicht so aufteilen, wie es seine Schichten verlangen.</translation>
    </message>
    <message>
        <source>No kernel for this model&apos;s quantisation ({kind}) runs on this machine: its bits, groups or layers have an unusual size.</source>
        <translation>Auf diesem Rechner läuft kein Kernel für die Quantisierung dieses Modells ({kind}): Seine Bits, Gruppen oder Schichten haben eine unübliche Größe.</translation>
    </message>
    <message>
        <source>The 4-bit weights of this model lie in groups of {group}, but a layer of it ({layer}) is {width} weights wide: that makes no whole groups.</source>
        <translation>Die 4-Bit-Gewichte dieses Modells liegen in Gruppen zu {group}, aber eine seiner Schichten ({layer}) ist {width} Gewichte breit: Das geht nicht in ganzen Gruppen auf.</translation>
    </message>
    <message>
        <source>The 4-bit weights of this model lie in groups of {odd}. On this processor only groups of {step} or a multiple of it can be computed with.</source>
        <translation>Die 4-Bit-Gewichte dieses Modells liegen in Gruppen zu {odd}. Auf diesem Prozessor lässt sich nur mit Gruppen zu {step} oder einem Vielfachen davon rechnen.</translation>
    </message>
    <message>
        <source>A layer of this model ({layer}) has {rows} outputs. In 4 bits (AWQ) they come {word} at a time, which does not come out even.</source>
        <translation>Eine Schicht dieses Modells ({layer}) hat {rows} Ausgänge. In 4 Bit (AWQ) liegen je {word} davon beisammen, und das geht nicht auf.</translation>
    </message>
    <message>
        <source>The layers of this model do not go with the 4-bit groups it is stored in.</source>
        <translation>Die Schichten dieses Modells passen nicht zu den 4-Bit-Gruppen, in denen es gespeichert ist.</translation>
    </message>
    <message>
        <source>This processor lacks the instructions (AVX-512) that this model needs on a CPU.</source>
        <translation>Diesem Prozessor fehlen die Befehle (AVX-512), die dieses Modell auf einer CPU braucht.</translation>
    </message>
    <message>
        <source>This processor cannot keep the KV cache of this model in FP8.</source>
        <translation>Dieser Prozessor kann den KV-Cache dieses Modells nicht in FP8 halten.</translation>
    </message>
    <message>
        <source>KV blocks of the size asked for do not work on this device.</source>
        <translation>KV-Blöcke der verlangten Größe gehen auf diesem Gerät nicht.</translation>
    </message>
    <message>
        <source>A step must read at least as many tokens as there may be chats at once.</source>
        <translation>Ein Schritt muss mindestens so viele Token lesen, wie zugleich Chats laufen dürfen.</translation>
    </message>
    <message>
        <source>The model&apos;s weights are missing: its download is not complete, or it has no safetensors.</source>
        <translation>Die Gewichte des Modells fehlen: Es ist nicht vollständig heruntergeladen oder hat keine Safetensors.</translation>
    </message>
    <message>
        <source>The weights of this model do not belong to its config.json: some are missing, unknown or of another size.</source>
        <translation>Die Gewichte dieses Modells gehören nicht zu seiner config.json: Einige fehlen, sind unbekannt oder anders groß.</translation>
    </message>
    <message>
        <source>The files of this model say nothing of its quantisation ({method}).</source>
        <translation>Die Dateien dieses Modells sagen nichts über seine Quantisierung ({method}).</translation>
    </message>
    <message>
        <source>The files of this model say nothing of its quantisation.</source>
        <translation>Die Dateien dieses Modells sagen nichts über seine Quantisierung.</translation>
    </message>
    <message>
        <source>This GGUF file cannot be loaded as it is: its architecture is not known.</source>
        <translation>Diese GGUF-Datei kann nicht geladen werden, wie sie ist: Ihre Architektur ist unbekannt.</translation>
    </message>
    <message>
        <source>This GGUF file cannot be loaded as it is: vLLM&apos;s GGUF plugin cannot compute with its kind of weights.</source>
        <translation>Diese GGUF-Datei kann nicht geladen werden, wie sie ist: Das GGUF-Plugin von vLLM kann mit dieser Art Gewichte nicht rechnen.</translation>
    </message>
    <message>
        <source>This GGUF file cannot be loaded as it is: vLLM&apos;s GGUF plugin does not start.</source>
        <translation>Diese GGUF-Datei kann nicht geladen werden, wie sie ist: Das GGUF-Plugin von vLLM startet nicht.</translation>
    </message>
    <message>
        <source>This engine does not know this model&apos;s quantisation ({method}).</source>
        <translation>Diese Engine kennt die Quantisierung dieses Modells nicht ({method}).</translation>
    </message>
    <message>
        <source>This engine does not know this model&apos;s quantisation.</source>
        <translation>Diese Engine kennt die Quantisierung dieses Modells nicht.</translation>
    </message>
    <message>
        <source>Its authors give this model only to those who have accepted their licence. Get it on its page first, then choose its folder.</source>
        <translation>Dieses Modell geben seine Autoren nur an Leute, die ihre Lizenz angenommen haben. Holen Sie es erst auf seiner Seite und wählen Sie dann seinen Ordner.</translation>
    </message>
    <message>
        <source>There is no model of this name, or it is private.</source>
        <translation>Ein Modell dieses Namens gibt es nicht, oder es ist privat.</translation>
    </message>
    <message>
        <source>This names a model on the net, and the engine never goes there. Choose a folder with the model&apos;s files.</source>
        <translation>Das ist der Name eines Modells im Netz, und dorthin geht die Engine nie. Wählen Sie einen Ordner mit den Dateien des Modells.</translation>
    </message>
    <message>
        <source>This engine does not know this model&apos;s architecture ({name}).</source>
        <translation>Diese Engine kennt die Architektur dieses Modells nicht ({name}).</translation>
    </message>
    <message>
        <source>There is no model in {folder}: a model&apos;s folder has a config.json.</source>
        <translation>In {folder} ist kein Modell: Ein Modellordner hat eine config.json.</translation>
    </message>
    <message>
        <source>There is no model in this folder: a model&apos;s folder has a config.json.</source>
        <translation>In diesem Ordner ist kein Modell: Ein Modellordner hat eine config.json.</translation>
    </message>
    <message>
        <source>The model&apos;s tokenizer cannot be loaded: its files are missing or damaged.</source>
        <translation>Der Tokenizer des Modells kann nicht geladen werden: Seine Dateien fehlen oder sind beschädigt.</translation>
    </message>
    <message>
        <source>This model has no chat template: it is a base model, not made for chats.</source>
        <translation>Dieses Modell hat keine Chatvorlage: Es ist ein Basismodell, nicht für Chats gemacht.</translation>
    </message>
    <message>
        <source>The model&apos;s chat template was stopped: it took too much time or memory for this chat.</source>
        <translation>Die Chatvorlage des Modells wurde angehalten: Sie brauchte für diesen Chat zu viel Zeit oder Speicher.</translation>
    </message>
    <message>
        <source>The model&apos;s chat template does not work with this chat.</source>
        <translation>Die Chatvorlage des Modells kommt mit diesem Chat nicht zurecht.</translation>
    </message>
    <message>
        <source>A context of {asked} tokens is asked for; this model reads {limit}.</source>
        <translation>Verlangt ist ein Kontext von {asked} Token; dieses Modell liest {limit}.</translation>
    </message>
    <message>
        <source>The context asked for is longer than the model can read.</source>
        <translation>Der verlangte Kontext ist länger, als das Modell lesen kann.</translation>
    </message>
    <message>
        <source>This could not be looked at ({reason}).</source>
        <translation>Das ließ sich nicht prüfen ({reason}).</translation>
    </message>
    <message>
        <source>If other problems are listed, see to them first; else ./packaging/run --repair replaces what is damaged of the program.</source>
        <translation>Sind andere Probleme aufgeführt, beheben Sie erst diese; sonst ersetzt ./packaging/run --repair, was am Programm beschädigt ist.</translation>
    </message>
    <message>
        <source>it said nothing</source>
        <translation>ohne ein Wort</translation>
    </message>
    <message>
        <source>The engine was not tried with a model; --full does that.</source>
        <translation>Die Engine wurde nicht mit einem Modell erprobt; das tut --full.</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>NVIDIA driver</source>
        <translation>NVIDIA-Treiber</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Starter model</source>
        <translation>Startmodell</translation>
    </message>
    <message>
        <source>Model store</source>
        <translation>Ablage der Modelle</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>Downloads</translation>
    </message>
    <message>
        <source>Hugging Face cache</source>
        <translation>Hugging-Face-Cache</translation>
    </message>
    <message>
        <source>Hub token</source>
        <translation>Hub-Token</translation>
    </message>
    <message>
        <source>Fonts</source>
        <translation>Schriften</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>GGUF files</source>
        <translation>GGUF-Dateien</translation>
    </message>
    <message>
        <source>Engine libraries</source>
        <translation>Bibliotheken der Engine</translation>
    </message>
    <message>
        <source>An answer</source>
        <translation>Eine Antwort</translation>
    </message>
    <message>
        <source>Hub (asked)</source>
        <translation>Hub (gefragt)</translation>
    </message>
    <message>
        <source>Disk (models, chats)</source>
        <translation>Platte (Modelle, Chats)</translation>
    </message>
    <message>
        <source>Disk (temporary files)</source>
        <translation>Platte (temporäre Dateien)</translation>
    </message>
    <message>
        <source>Folder (data)</source>
        <translation>Ordner (Daten)</translation>
    </message>
    <message>
        <source>Folder (config)</source>
        <translation>Ordner (Einstellungen)</translation>
    </message>
    <message>
        <source>Folder (state)</source>
        <translation>Ordner (Zustand)</translation>
    </message>
    <message>
        <source>Folder (cache)</source>
        <translation>Ordner (Cache)</translation>
    </message>
    <message>
        <source>Folder (runtime)</source>
        <translation>Ordner (Laufzeit)</translation>
    </message>
    <message>
        <source>Chats (access)</source>
        <translation>Chats (Zugriff)</translation>
    </message>
    <message>
        <source>{free} are free at {folder}.</source>
        <translation>In {folder} sind {free} frei.</translation>
    </message>
    <message>
        <source>{free} are free at {folder}. A larger model may not fit.</source>
        <translation>In {folder} sind {free} frei. Ein größeres Modell passt vielleicht nicht.</translation>
    </message>
    <message>
        <source>Make room: chats may not be saved any more.</source>
        <translation>Schaffen Sie Platz: Chats lassen sich vielleicht nicht mehr speichern.</translation>
    </message>
    <message>
        <source>{folder} is made when it is needed.</source>
        <translation>{folder} wird angelegt, sobald es gebraucht wird.</translation>
    </message>
    <message>
        <source>{folder} is not a folder.</source>
        <translation>{folder} ist kein Ordner.</translation>
    </message>
    <message>
        <source>Rename it; a folder is made in its place.</source>
        <translation>Benennen Sie es um; an seiner Stelle wird ein Ordner angelegt.</translation>
    </message>
    <message>
        <source>{folder} belongs to another user (number {uid}).</source>
        <translation>{folder} gehört einem anderen Benutzer (Nummer {uid}).</translation>
    </message>
    <message>
        <source>{folder} cannot be written.</source>
        <translation>In {folder} kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>{command}; or set INGLENOOK_HOME to a folder that you can write to.</source>
        <translation>{command}; oder setzen Sie INGLENOOK_HOME auf einen Ordner, in den Sie schreiben können.</translation>
    </message>
    <message>
        <source>set INGLENOOK_HOME to a folder that you can write to.</source>
        <translation>Setzen Sie INGLENOOK_HOME auf einen Ordner, in den Sie schreiben können.</translation>
    </message>
    <message>
        <source>Others on this machine may look into {folder} (mode {mode}).</source>
        <translation>Andere auf diesem Rechner dürfen in {folder} hineinsehen (Rechte {mode}).</translation>
    </message>
    <message>
        <source>Others on this machine may read {file} (mode {mode}).</source>
        <translation>Andere auf diesem Rechner dürfen {file} lesen (Rechte {mode}).</translation>
    </message>
    <message>
        <source>{folder} is yours alone.</source>
        <translation>{folder} gehört Ihnen allein.</translation>
    </message>
    <message>
        <source>{file} is for you alone.</source>
        <translation>{file} ist nur für Sie lesbar.</translation>
    </message>
    <message>
        <source>There are none yet.</source>
        <translation>Es gibt noch keine.</translation>
    </message>
    <message>
        <source>Open the window: it offers the backups beside it ({folder}).</source>
        <translation>Öffnen Sie das Fenster: Es bietet die Sicherungen an, die daneben liegen ({folder}).</translation>
    </message>
    <message>
        <source>{file} is damaged: {faults}.</source>
        <translation>{file} ist beschädigt: {faults}.</translation>
    </message>
    <message>
        <source>Open the window: it saves what can be saved, and offers the newest backup.</source>
        <translation>Öffnen Sie das Fenster: Es rettet, was zu retten ist, und bietet die neueste Sicherung an.</translation>
    </message>
    <message>
        <source>{chats} chats with {messages} messages. The database is whole.</source>
        <translation>Chats: {chats}, Nachrichten: {messages}. Die Datenbank ist unversehrt.</translation>
    </message>
    <message>
        <source>It is not at {folder}.</source>
        <translation>In {folder} ist es nicht.</translation>
    </message>
    <message>
        <source>./packaging/run --repair makes it again, without any download.</source>
        <translation>./packaging/run --repair baut es neu, ohne etwas herunterzuladen.</translation>
    </message>
    <message>
        <source>{name} is there and unchanged.</source>
        <translation>{name} ist da und unverändert.</translation>
    </message>
    <message>
        <source>None of its own are in {folder}.</source>
        <translation>In {folder} sind keine eigenen.</translation>
    </message>
    <message>
        <source>./packaging/run --repair, or fetch the program again.</source>
        <translation>./packaging/run --repair, oder holen Sie das Programm noch einmal.</translation>
    </message>
    <message>
        <source>{count} of its own are there.</source>
        <translation>Eigene vorhanden: {count}.</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Move of the store</source>
        <translation>Umzug der Ablage</translation>
    </message>
    <message>
        <source>Account</source>
        <translation>Konto</translation>
    </message>
    <message>
        <source>A move of the model store to another disk is unfinished; no model is lost.</source>
        <translation>Ein Umzug der Ablage der Modelle auf eine andere Platte ist nicht beendet; kein Modell ist verloren.</translation>
    </message>
    <message>
        <source>In the window: Installed models, Move the models to another disk. It goes on from there.</source>
        <translation>Im Fenster: Installierte Modelle, „Modelle auf eine andere Platte verschieben“. Von dort geht es weiter.</translation>
    </message>
    <message>
        <source>{folder}. {free} are free there.</source>
        <translation>{folder}. Dort sind {free} frei.</translation>
    </message>
    <message>
        <source>{folder}, which lies at {target}. {free} are free there.</source>
        <translation>{folder}, tatsächlich in {target}. Dort sind {free} frei.</translation>
    </message>
    <message>
        <source>{folder}, which lies at {target} cannot be written.</source>
        <translation>In {folder}, tatsächlich in {target}, kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>Make it writable for you, or move the store to another disk (in the window).</source>
        <translation>Geben Sie sich Schreibrechte oder verschieben Sie die Ablage auf eine andere Platte (im Fenster).</translation>
    </message>
    <message>
        <source>None is unfinished.</source>
        <translation>Keiner ist unfertig.</translation>
    </message>
    <message>
        <source>Unfinished: {models}; {size} lie here so far.</source>
        <translation>Unfertig: {models}; bisher liegen hier {size}.</translation>
    </message>
    <message>
        <source>Unfinished: {models} and {count} more; {size} lie here so far.</source>
        <translation>Unfertig: {models} und {count} weitere; bisher liegen hier {size}.</translation>
    </message>
    <message>
        <source>{command} pull MODEL goes on, {command} rm deletes it.</source>
        <translation>{command} pull MODELL setzt fort, {command} rm löscht.</translation>
    </message>
    <message>
        <source>There is none at {folder}, and none is needed.</source>
        <translation>In {folder} ist keiner, und keiner wird gebraucht.</translation>
    </message>
    <message>
        <source>Make it readable for you, or switch it off in the settings (Network and models).</source>
        <translation>Geben Sie sich Leserechte oder schalten Sie ihn in den Einstellungen ab (Netz und Modelle).</translation>
    </message>
    <message>
        <source>1 model is in {folder}.</source>
        <translation>1 Modell ist in {folder}.</translation>
    </message>
    <message>
        <source>{count} models are in {folder}.</source>
        <translation>{count} Modelle sind in {folder}.</translation>
    </message>
    <message>
        <source>1 model is in {folder}. The settings leave it out of the list.</source>
        <translation>1 Modell ist in {folder}. Die Einstellungen lassen den Cache aus der Liste.</translation>
    </message>
    <message>
        <source>{count} models are in {folder}. The settings leave it out of the list.</source>
        <translation>{count} Modelle sind in {folder}. Die Einstellungen lassen den Cache aus der Liste.</translation>
    </message>
    <message>
        <source>Settings, Network and models.</source>
        <translation>Einstellungen, Netz und Modelle.</translation>
    </message>
    <message>
        <source>Offline by the settings: no hub is asked. What is installed works.</source>
        <translation>Offline laut Einstellungen: Kein Hub wird gefragt. Installiertes läuft.</translation>
    </message>
    <message>
        <source>Offline by HF_HUB_OFFLINE: no hub is asked. What is installed works.</source>
        <translation>Offline durch HF_HUB_OFFLINE: Kein Hub wird gefragt. Installiertes läuft.</translation>
    </message>
    <message>
        <source>The public hub</source>
        <translation>Der öffentliche Hub</translation>
    </message>
    <message>
        <source>A mirror</source>
        <translation>Ein Spiegel</translation>
    </message>
    <message>
        <source>{hub}, {url}, asked only when you look for models.</source>
        <translation>{hub}, {url}, nur gefragt, wenn Sie Modelle suchen.</translation>
    </message>
    <message>
        <source>{hub}, {url}, asked only when you look for models, {way}.</source>
        <translation>{hub}, {url}, nur gefragt, wenn Sie Modelle suchen, {way}.</translation>
    </message>
    <message>
        <source>{hub}, {url}, asked only when you look for models, {way}. That file is not there.</source>
        <translation>{hub}, {url}, nur gefragt, wenn Sie Modelle suchen, {way}. Diese Datei ist nicht da.</translation>
    </message>
    <message>
        <source>through the proxy {proxy}</source>
        <translation>über den Proxy {proxy}</translation>
    </message>
    <message>
        <source>with the certificates in {file}</source>
        <translation>mit den Zertifikaten in {file}</translation>
    </message>
    <message>
        <source>through the proxy {proxy}, with the certificates in {file}</source>
        <translation>über den Proxy {proxy}, mit den Zertifikaten in {file}</translation>
    </message>
    <message>
        <source>Unset SSL_CERT_FILE, or put the file in place.</source>
        <translation>Heben Sie SSL_CERT_FILE auf oder legen Sie die Datei dorthin.</translation>
    </message>
    <message>
        <source>It is in the environment (HF_TOKEN).</source>
        <translation>Es steht in der Umgebung (HF_TOKEN).</translation>
    </message>
    <message>
        <source>There is none; only models with a licence to accept, and private ones, need it.</source>
        <translation>Es gibt keines; nur Modelle, deren Lizenz anzunehmen ist, und private brauchen es.</translation>
    </message>
    <message>
        <source>{file} is empty.</source>
        <translation>{file} ist leer.</translation>
    </message>
    <message>
        <source>Others on this machine may read it ({file}).</source>
        <translation>Andere auf diesem Rechner dürfen es lesen ({file}).</translation>
    </message>
    <message>
        <source>It is in {file}, for you alone.</source>
        <translation>Es liegt in {file}, nur für Sie lesbar.</translation>
    </message>
    <message>
        <source>It did not answer within {seconds} s.</source>
        <translation>Er antwortete nicht innerhalb von {seconds} s.</translation>
    </message>
    <message>
        <source>Check the network, and the proxy in the settings (Network and models).</source>
        <translation>Prüfen Sie das Netz und den Proxy in den Einstellungen (Netz und Modelle).</translation>
    </message>
    <message>
        <source>It answers.</source>
        <translation>Er antwortet.</translation>
    </message>
    <message>
        <source>The hub does not know the token.</source>
        <translation>Der Hub kennt das Token nicht.</translation>
    </message>
    <message>
        <source>hf auth login makes a new one.</source>
        <translation>hf auth login legt ein neues an.</translation>
    </message>
    <message>
        <source>Signed in as {name}.</source>
        <translation>Angemeldet als {name}.</translation>
    </message>
    <message>
        <source>Nobody is signed in.</source>
        <translation>Niemand ist angemeldet.</translation>
    </message>
    <message>
        <source>Engine build</source>
        <translation>Fassung der Engine</translation>
    </message>
    <message>
        <source>Python {version} in {folder}.</source>
        <translation>Python {version} in {folder}.</translation>
    </message>
    <message>
        <source>Python {version} in {folder}. The engine needs 3.11 to 3.13.</source>
        <translation>Python {version} in {folder}. Die Engine braucht 3.11 bis 3.13.</translation>
    </message>
    <message>
        <source>Set INGLENOOK_PYTHON to one of 3.11 to 3.13 and run {command}.</source>
        <translation>Setzen Sie INGLENOOK_PYTHON auf eines von 3.11 bis 3.13 und führen Sie {command} aus.</translation>
    </message>
    <message>
        <source>{name}, {cores} cores: models on the processor are untried here.</source>
        <translation>{name}, Kerne: {cores}. Modelle auf dem Prozessor sind hier nicht erprobt.</translation>
    </message>
    <message>
        <source>{name}, {cores} cores, without AVX2: the engine&apos;s CPU build needs it.</source>
        <translation>{name}, Kerne: {cores}, ohne AVX2: Die CPU-Fassung der Engine braucht es.</translation>
    </message>
    <message>
        <source>Use a machine with an NVIDIA GPU, or a processor made after 2013.</source>
        <translation>Nutzen Sie einen Rechner mit einer NVIDIA-GPU oder einem Prozessor, der nach 2013 gebaut wurde.</translation>
    </message>
    <message>
        <source>{name}, {cores} cores ({flags}). AWQ models on it use {kernel}.</source>
        <translation>{name}, Kerne: {cores} ({flags}). AWQ-Modelle nutzen darauf {kernel}.</translation>
    </message>
    <message>
        <source>vLLM&apos;s INT4 kernel (AVX-512)</source>
        <translation>den INT4-Kernel von vLLM (AVX-512)</translation>
    </message>
    <message>
        <source>Inglenook&apos;s INT4 kernel (AVX2)</source>
        <translation>den INT4-Kernel von Inglenook (AVX2)</translation>
    </message>
    <message>
        <source>{free} of {total} are free.</source>
        <translation>{free} von {total} sind frei.</translation>
    </message>
    <message>
        <source>Close other programs: even the starter model wants about 3 GiB.</source>
        <translation>Schließen Sie andere Programme: Schon das Startmodell braucht etwa 3 GiB.</translation>
    </message>
    <message>
        <source>{free} are free.</source>
        <translation>{free} sind frei.</translation>
    </message>
    <message>
        <source>It cannot be used ({reason}).</source>
        <translation>Nicht benutzbar ({reason}).</translation>
    </message>
    <message>
        <source>Mount a tmpfs there; in a container, give it --shm-size=2g.</source>
        <translation>Hängen Sie dort ein tmpfs ein; einem Container geben Sie --shm-size=2g.</translation>
    </message>
    <message>
        <source>{free} are free. You may not write there.</source>
        <translation>{free} sind frei. Sie dürfen dort nicht schreiben.</translation>
    </message>
    <message>
        <source>{free} are free. A model that is split over two devices wants 160 MiB.</source>
        <translation>{free} sind frei. Ein Modell, das auf zwei Geräte aufgeteilt ist, braucht 160 MiB.</translation>
    </message>
    <message>
        <source>Remove files left there; in a container, give it --shm-size=2g.</source>
        <translation>Entfernen Sie liegen gebliebene Dateien; einem Container geben Sie --shm-size=2g.</translation>
    </message>
    <message>
        <source>Version {version}, for CUDA up to {cuda}.</source>
        <translation>Version {version}, für CUDA bis {cuda}.</translation>
    </message>
    <message>
        <source>The driver is not usable ({reason}).</source>
        <translation>Der Treiber ist nicht brauchbar ({reason}).</translation>
    </message>
    <message>
        <source>Put the driver in order, or use the processor: {command}</source>
        <translation>Bringen Sie den Treiber in Ordnung oder nutzen Sie den Prozessor: {command}</translation>
    </message>
    <message>
        <source>There is none, and none is needed: models run on the processor.</source>
        <translation>Es gibt keinen, und keiner wird gebraucht: Modelle laufen auf dem Prozessor.</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>It no longer answers.</source>
        <translation>Sie antwortet nicht mehr.</translation>
    </message>
    <message>
        <source>{name} no longer answers.</source>
        <translation>{name} antwortet nicht mehr.</translation>
    </message>
    <message>
        <source>Restart the computer; if it comes back, look at power supply and slot.</source>
        <translation>Starten Sie den Rechner neu; geschieht es wieder, prüfen Sie Stromversorgung und Steckplatz.</translation>
    </message>
    <message>
        <source>{device}: nothing more is known of it.</source>
        <translation>{device}: Mehr ist nicht bekannt.</translation>
    </message>
    <message>
        <source>{device}, {total} of memory.</source>
        <translation>{device}, {total} Speicher.</translation>
    </message>
    <message>
        <source>{device}, {total}, {used} in use.</source>
        <translation>{device}, {total}, davon {used} belegt.</translation>
    </message>
    <message>
        <source>{device}, compute capability {capability}. {kernels}</source>
        <translation>{device}, Compute Capability {capability}. {kernels}</translation>
    </message>
    <message>
        <source>{device}, {total}, compute capability {capability}. {kernels}</source>
        <translation>{device}, {total}, Compute Capability {capability}. {kernels}</translation>
    </message>
    <message>
        <source>{device}, {total}, {used} in use, compute capability {capability}. {kernels}</source>
        <translation>{device}, {total}, davon {used} belegt, Compute Capability {capability}. {kernels}</translation>
    </message>
    <message>
        <source>It is too old for AWQ models.</source>
        <translation>Sie ist zu alt für AWQ-Modelle.</translation>
    </message>
    <message>
        <source>AWQ models on it use Marlin, in float16 only.</source>
        <translation>AWQ-Modelle nutzen darauf Marlin, nur in float16.</translation>
    </message>
    <message>
        <source>AWQ models on it use Machete or Marlin.</source>
        <translation>AWQ-Modelle nutzen darauf Machete oder Marlin.</translation>
    </message>
    <message>
        <source>AWQ models on it use Marlin.</source>
        <translation>AWQ-Modelle nutzen darauf Marlin.</translation>
    </message>
    <message>
        <source>Use unquantised models in float16, or another GPU.</source>
        <translation>Nutzen Sie unquantisierte Modelle in float16 oder eine andere GPU.</translation>
    </message>
    <message>
        <source>It is the one for NVIDIA GPUs.</source>
        <translation>Es ist die für NVIDIA-GPUs.</translation>
    </message>
    <message>
        <source>It is the one for processors.</source>
        <translation>Es ist die für Prozessoren.</translation>
    </message>
    <message>
        <source>It is the one for NVIDIA GPUs. No GPU answers, so it cannot load a model.</source>
        <translation>Es ist die für NVIDIA-GPUs. Keine GPU antwortet, also kann sie kein Modell laden.</translation>
    </message>
    <message>
        <source>It is the one for processors. There is a GPU that it does not use.</source>
        <translation>Es ist die für Prozessoren. Es gibt eine GPU, die sie nicht nutzt.</translation>
    </message>
    <message>
        <source>They were not imported within {seconds} s.</source>
        <translation>Sie waren nach {seconds} s nicht importiert.</translation>
    </message>
    <message>
        <source>Is the disk very slow, or the memory full?</source>
        <translation>Ist die Platte sehr langsam oder der Arbeitsspeicher voll?</translation>
    </message>
    <message>
        <source>Importing them ends the process (signal {signal}): {reason}</source>
        <translation>Sie zu importieren beendet den Prozess (Signal {signal}): {reason}</translation>
    </message>
    <message>
        <source>Importing them ends the process (code {code}): {reason}</source>
        <translation>Sie zu importieren beendet den Prozess (Code {code}): {reason}</translation>
    </message>
    <message>
        <source>{versions}; imported in {seconds} s.</source>
        <translation>{versions}; importiert in {seconds} s.</translation>
    </message>
    <message>
        <source>They are converted first: the processor cannot compute with their weights.</source>
        <translation>Sie werden erst umgewandelt: Der Prozessor kann mit ihren Gewichten nicht rechnen.</translation>
    </message>
    <message>
        <source>vLLM&apos;s GGUF plugin is not installed, so all of them are converted first.</source>
        <translation>Das GGUF-Plugin von vLLM ist nicht installiert, deshalb werden alle erst umgewandelt.</translation>
    </message>
    <message>
        <source>vLLM&apos;s plugin {version} loads {kinds} as they are; others are converted first.</source>
        <translation>Das Plugin {version} von vLLM lädt {kinds}, wie sie sind; andere werden erst umgewandelt.</translation>
    </message>
    <message>
        <source>There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set).</source>
        <translation>Es gibt keine Anzeige (weder DISPLAY noch WAYLAND_DISPLAY ist gesetzt).</translation>
    </message>
    <message>
        <source>./packaging/run chat &quot;…&quot; needs none.</source>
        <translation>./packaging/run chat &quot;…&quot; braucht keine.</translation>
    </message>
    <message>
        <source>Qt did not start within {seconds} s: does the display answer?</source>
        <translation>Qt war nach {seconds} s nicht gestartet: Antwortet die Anzeige?</translation>
    </message>
    <message>
        <source>Try again from a terminal of the desktop.</source>
        <translation>Versuchen Sie es noch einmal aus einem Terminal des Desktops.</translation>
    </message>
    <message>
        <source>Qt opens windows ({name}).</source>
        <translation>Qt öffnet Fenster ({name}).</translation>
    </message>
    <message>
        <source>Qt cannot open a window: {reason}</source>
        <translation>Qt kann kein Fenster öffnen: {reason}</translation>
    </message>
    <message>
        <source>./packaging/run names the libraries that are missing.</source>
        <translation>./packaging/run nennt die fehlenden Bibliotheken.</translation>
    </message>
    <message>
        <source>None came within {seconds} s.</source>
        <translation>Nach {seconds} s war keine gekommen.</translation>
    </message>
    <message>
        <source>Look into the log: Help, Engine log.</source>
        <translation>Sehen Sie ins Protokoll: Hilfe, Engine-Protokoll.</translation>
    </message>
    <message>
        <source>The starter model answered ({seconds} s to the first token).</source>
        <translation>Das Startmodell hat geantwortet ({seconds} s bis zum ersten Token).</translation>
    </message>
    <message>
        <source>None came: {reason}</source>
        <translation>Keine kam: {reason}</translation>
    </message>
    <message>
        <source>The GPUs wait for each other without end: the direct link between them does not work as it says. Without it their data goes through the computer&apos;s memory.</source>
        <translation>Die GPUs warten ohne Ende aufeinander: Ihre direkte Verbindung arbeitet nicht, wie sie vorgibt. Ohne sie gehen die Daten durch den Arbeitsspeicher.</translation>
    </message>
    <message>
        <source>The GPUs wait for each other without end, also without their direct link.</source>
        <translation>Die GPUs warten ohne Ende aufeinander, auch ohne ihre direkte Verbindung.</translation>
    </message>
    <message>
        <source>{file} cannot be looked into.</source>
        <translation>{file} kann nicht durchgesehen werden.</translation>
    </message>
    <message>
        <source>The config.json of {name} does not tell of a language model: it names no layers, no width or no vocabulary.</source>
        <translation>Die config.json von {name} beschreibt kein Sprachmodell: Sie nennt keine Schichten, keine Breite oder kein Vokabular.</translation>
    </message>
    <message>
        <source>this model</source>
        <translation>diesem Modell</translation>
    </message>
    <message>
        <source>The {file} of {name} is too large to be one.</source>
        <translation>Die {file} von {name} ist zu groß, um eine zu sein.</translation>
    </message>
    <message>
        <source>There is no {file} in {folder}.</source>
        <translation>In {folder} ist keine {file}.</translation>
    </message>
    <message>
        <source>The {file} of {name} cannot be read: {reason}.</source>
        <translation>Die {file} von {name} kann nicht gelesen werden: {reason}.</translation>
    </message>
    <message>
        <source>The {file} of {name} is damaged: it is not JSON.</source>
        <translation>Die {file} von {name} ist beschädigt: Sie ist kein JSON.</translation>
    </message>
    <message>
        <source>The {file} of {name} is damaged: it is not an object.</source>
        <translation>Die {file} von {name} ist beschädigt: Sie ist kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>{file} cannot be read: {reason}.</source>
        <translation>{file} kann nicht gelesen werden: {reason}.</translation>
    </message>
    <message>
        <source>Another process is making {name} at this moment.</source>
        <translation>Ein anderer Prozess macht {name} gerade.</translation>
    </message>
    <message>
        <source>{folder} is there already. Choose another folder, or remove that one first.</source>
        <translation>{folder} gibt es schon. Wählen Sie einen anderen Ordner oder entfernen Sie diesen erst.</translation>
    </message>
    <message>
        <source>The disk of {folder} is full. Free some space.</source>
        <translation>Die Platte von {folder} ist voll. Schaffen Sie Platz.</translation>
    </message>
    <message>
        <source>The folder {folder} cannot be written.</source>
        <translation>In den Ordner {folder} kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>{folder} cannot be written: {reason}.</source>
        <translation>In {folder} kann nicht geschrieben werden: {reason}.</translation>
    </message>
    <message>
        <source>The quantised model needs {needed} in {folder}; {free} are free. Free some space, or choose another folder.</source>
        <translation>Das quantisierte Modell braucht {needed} in {folder}; {free} sind frei. Schaffen Sie Platz oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>{name} cannot be read: {reason}</source>
        <translation>{name} kann nicht gelesen werden: {reason}</translation>
    </message>
    <message>
        <source>{name} is quantised already ({method}). Choose the original, in 16 or 32 bits.</source>
        <translation>{name} ist schon quantisiert ({method}). Wählen Sie das Original mit 16 oder 32 Bit.</translation>
    </message>
    <message>
        <source>There is no AWQ recipe here for models of the kind “{name}”. Known are {kinds}.</source>
        <translation>Für Modelle der Art „{name}“ gibt es hier kein AWQ-Rezept. Bekannt sind {kinds}.</translation>
    </message>
    <message>
        <source>{name} has no linear layers to quantise.</source>
        <translation>{name} hat keine linearen Schichten zum Quantisieren.</translation>
    </message>
    <message>
        <source>A group size of {group} does not fit {name}. It can have: {sizes}.</source>
        <translation>Die Gruppengröße {group} passt nicht zu {name}. Möglich sind: {sizes}.</translation>
    </message>
    <message>
        <source>No group size fits {name}: the widths of these layers cannot be divided.</source>
        <translation>Keine Gruppengröße passt zu {name}: Die Breiten dieser Schichten lassen sich nicht teilen.</translation>
    </message>
    <message>
        <source>Quantising {name} needs about {needed} of memory; {free} are free. Unload the model and close other programs, or quantise it on a larger machine.</source>
        <translation>{name} zu quantisieren braucht etwa {needed} Arbeitsspeicher; {free} sind frei. Entladen Sie das Modell und schließen Sie andere Programme oder quantisieren Sie es auf einem größeren Rechner.</translation>
    </message>
    <message>
        <source>{name} ({width} wide)</source>
        <translation>{name} (Breite {width})</translation>
    </message>
    <message>
        <source>{name} is not text in UTF-8 ({reason}).</source>
        <translation>{name} ist kein Text in UTF-8 ({reason}).</translation>
    </message>
    <message>
        <source>The calibration text {file} cannot be read: {reason}.</source>
        <translation>Der Kalibriertext {file} kann nicht gelesen werden: {reason}.</translation>
    </message>
    <message>
        <source>There is no text in {file}.</source>
        <translation>In {file} ist kein Text.</translation>
    </message>
    <message>
        <source>{name} is larger than {most} MB. Calibration needs a few pages of text, not a library.</source>
        <translation>{name} ist größer als {most} MB. Zum Kalibrieren genügen einige Seiten Text, keine Bibliothek.</translation>
    </message>
    <message>
        <source>Line {line} of {name} is no JSON object with a &quot;text&quot;.</source>
        <translation>Zeile {line} von {name} ist kein JSON-Objekt mit einem „text“.</translation>
    </message>
    <message>
        <source>The calibration text cannot be used.</source>
        <translation>Der Kalibriertext ist nicht brauchbar.</translation>
    </message>
    <message>
        <source>sample {number} (line {line})</source>
        <translation>Probe {number} (Zeile {line})</translation>
    </message>
    <message>
        <source>Sample {number} (line {line})</source>
        <translation>Probe {number} (Zeile {line})</translation>
    </message>
    <message>
        <source>{sample}, “{start}…”: {fault}</source>
        <translation>{sample}, „{start}…“: {fault}</translation>
    </message>
    <message>
        <source>There are {count} samples; calibration takes {least} to {most}.</source>
        <translation>Es sind {count} Proben; zum Kalibrieren braucht es {least} bis {most}.</translation>
    </message>
    <message>
        <source>… and {count} more.</source>
        <translation>… und {count} weitere.</translation>
    </message>
    <message>
        <source>{count} tokens, too short; at least {least} are needed.</source>
        <translation>{count} Token, zu kurz; mindestens {least} sind nötig.</translation>
    </message>
    <message>
        <source>{count} tokens, too long; split it into pieces of {most}.</source>
        <translation>{count} Token, zu lang; teilen Sie sie in Stücke zu {most}.</translation>
    </message>
    <message>
        <source>it repeats itself: {different} different tokens among {count}.</source>
        <translation>wiederholt sich: {different} verschiedene Token unter {count}.</translation>
    </message>
    <message>
        <source>the same text as {sample}.</source>
        <translation>derselbe Text wie {sample}.</translation>
    </message>
    <message>
        <source>The GPU&apos;s memory is too small, or others use it. Unload the model there, or quantise on the CPU.</source>
        <translation>Der Speicher der GPU ist zu klein oder von anderen belegt. Entladen Sie das Modell dort oder quantisieren Sie auf der CPU.</translation>
    </message>
    <message>
        <source>There is no GPU that PyTorch can use. Leave out the device.</source>
        <translation>Es gibt keine GPU, die PyTorch nutzen kann. Lassen Sie das Gerät weg.</translation>
    </message>
    <message>
        <source>There is not enough memory. Close other programs.</source>
        <translation>Der Speicher reicht nicht. Schließen Sie andere Programme.</translation>
    </message>
    <message>
        <source>Quantising failed: {reason}</source>
        <translation>Das Quantisieren ist misslungen: {reason}</translation>
    </message>
    <message>
        <source>The quantiser is not installed (under 1 MB). This installs it: ./packaging/run --setup-only quantize</source>
        <translation>Der Quantisierer ist nicht installiert (unter 1 MB). So wird er installiert: ./packaging/run --setup-only quantize</translation>
    </message>
    <message>
        <source>A part of the quantiser is missing ({name}). Run ./packaging/run --repair.</source>
        <translation>Ein Teil des Quantisierers fehlt ({name}). Führen Sie ./packaging/run --repair aus.</translation>
    </message>
    <message>
        <source>{name} was written, and nothing asks for it.</source>
        <translation>{name} wurde geschrieben, und nichts verlangt danach.</translation>
    </message>
    <message>
        <source>What was written of {name} has another shape.</source>
        <translation>Was von {name} geschrieben wurde, hat eine andere Form.</translation>
    </message>
    <message>
        <source>{name} is missing in what was written.</source>
        <translation>{name} fehlt in dem, was geschrieben wurde.</translation>
    </message>
    <message>
        <source>Thinks before it answers.</source>
        <translation>Denkt nach, bevor es antwortet.</translation>
    </message>
    <message>
        <source>Thinks before it answers; that can be switched off.</source>
        <translation>Denkt nach, bevor es antwortet; das lässt sich abschalten.</translation>
    </message>
    <message>
        <source>The disk of {folder} is full. Free some space and try again.</source>
        <translation>Die Platte von {folder} ist voll. Schaffen Sie Platz und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The folder {folder} cannot be written. Make it writable for you, or set INGLENOOK_HOME to a folder that is.</source>
        <translation>In den Ordner {folder} kann nicht geschrieben werden. Geben Sie sich Schreibrechte, oder setzen Sie INGLENOOK_HOME auf einen Ordner, der welche hat.</translation>
    </message>
    <message>
        <source>{file} is missing</source>
        <translation>{file} fehlt</translation>
    </message>
    <message>
        <source>{file} cannot be read</source>
        <translation>{file} kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>{list} does not list {file}</source>
        <translation>{list} führt {file} nicht auf</translation>
    </message>
    <message>
        <source>{file} is not whole</source>
        <translation>{file} ist nicht vollständig</translation>
    </message>
    <message>
        <source>The disk of {folder} is not there: it is a link to {target}. Connect it.</source>
        <translation>Die Platte von {folder} ist nicht da: Der Ordner ist eine Verknüpfung mit {target}. Schließen Sie sie an.</translation>
    </message>
    <message>
        <source>the part of one that sees images</source>
        <translation>den Teil eines Modells, der Bilder sieht</translation>
    </message>
    <message>
        <source>an addition to one (a LoRA adapter)</source>
        <translation>eine Ergänzung zu einem (einen LoRA-Adapter)</translation>
    </message>
    <message>
        <source>only a vocabulary</source>
        <translation>nur ein Vokabular</translation>
    </message>
    <message>
        <source>it ends within its header</source>
        <translation>sie endet in ihrem Kopf</translation>
    </message>
    <message>
        <source>its header is too long</source>
        <translation>ihr Kopf ist zu lang</translation>
    </message>
    <message>
        <source>one of its names is too long</source>
        <translation>einer ihrer Namen ist zu lang</translation>
    </message>
    <message>
        <source>one of its names is no text</source>
        <translation>einer ihrer Namen ist kein Text</translation>
    </message>
    <message>
        <source>it has an entry of an unknown kind</source>
        <translation>sie hat einen Eintrag unbekannter Art</translation>
    </message>
    <message>
        <source>its alignment makes no sense</source>
        <translation>ihre Ausrichtung (Alignment) ergibt keinen Sinn</translation>
    </message>
    <message>
        <source>it does not say what kind of model it holds</source>
        <translation>sie sagt nicht, was für ein Modell sie enthält</translation>
    </message>
    <message>
        <source>its list of tensors makes no sense</source>
        <translation>ihre Liste der Tensoren ergibt keinen Sinn</translation>
    </message>
    <message>
        <source>one of its tensors has an impossible size</source>
        <translation>einer ihrer Tensoren hat eine unmögliche Größe</translation>
    </message>
    <message>
        <source>The disk with your models is not there: they were moved to {folder}. Connect it; until then no model of the store can be loaded.</source>
        <translation>Die Platte mit Ihren Modellen ist nicht da: Sie wurden nach {folder} verschoben. Schließen Sie sie an; bis dahin kann kein Modell der Ablage geladen werden.</translation>
    </message>
    <message>
        <source>The download was stopped. What was fetched is kept.</source>
        <translation>Der Download wurde angehalten. Was geholt ist, bleibt.</translation>
    </message>
    <message>
        <source>“{name}” is no model’s name; they read “owner/name”.</source>
        <translation>„{name}“ ist kein Modellname; solche lauten „owner/name“.</translation>
    </message>
    <message>
        <source>“{name}” is no name of a variant.</source>
        <translation>„{name}“ ist kein Name einer Variante.</translation>
    </message>
    <message>
        <source>The hub names a file “{name}”. Such a name is not taken; nothing is fetched.</source>
        <translation>Der Hub nennt eine Datei „{name}“. Ein solcher Name wird nicht angenommen; nichts wird geholt.</translation>
    </message>
    <message>
        <source>The hub lists the file “{name}” twice. Nothing is fetched.</source>
        <translation>Der Hub führt die Datei „{name}“ doppelt auf. Nichts wird geholt.</translation>
    </message>
    <message>
        <source>The hub tells no checksum of {name}, so it could not be checked.</source>
        <translation>Der Hub nennt keine Prüfsumme von {name}, also ließe sich nichts prüfen.</translation>
    </message>
    <message>
        <source>The hub tells no commit of {name} that could be relied on.</source>
        <translation>Der Hub nennt keinen Commit von {name}, auf den Verlass wäre.</translation>
    </message>
    <message>
        <source>The hub lists more files of {name} than any model has.</source>
        <translation>Der Hub führt mehr Dateien von {name} auf, als ein Modell je hat.</translation>
    </message>
    <message>
        <source>The hub tells a size of {name} that makes no sense.</source>
        <translation>Der Hub nennt eine Größe von {name}, die keinen Sinn ergibt.</translation>
    </message>
    <message>
        <source>{folder} is a link, or no folder. Links in the store are not followed; remove it.</source>
        <translation>{folder} ist eine Verknüpfung oder kein Ordner. Verknüpfungen in der Ablage wird nicht gefolgt; entfernen Sie sie.</translation>
    </message>
    <message>
        <source>The folder {folder} cannot be used: {reason}.</source>
        <translation>Der Ordner {folder} ist nicht brauchbar: {reason}.</translation>
    </message>
    <message>
        <source>{name} came with other contents than the hub’s checksum tells, more than once. Something on the way changes it, or the hub’s file is damaged. It was not kept; try again later.</source>
        <translation>{name} kam mehr als einmal mit anderem Inhalt, als die Prüfsumme des Hubs besagt. Etwas auf dem Weg verändert die Datei, oder sie ist im Hub beschädigt. Sie wurde nicht behalten; versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
        <source>{repo} is being fetched by another process. Stop that one first.</source>
        <translation>{repo} wird von einem anderen Prozess geholt. Halten Sie erst diesen an.</translation>
    </message>
    <message>
        <source>The disk of {folder} is full: {missing} GiB are still to come, {free} GiB are free. Free some space.</source>
        <translation>Die Platte von {folder} ist voll: {missing} GiB stehen noch aus, {free} GiB sind frei. Schaffen Sie Platz.</translation>
    </message>
    <message>
        <source>Another process is fetching {repo}; waiting for it.</source>
        <translation>Ein anderer Prozess holt {repo}; darauf wird gewartet.</translation>
    </message>
    <message>
        <source>{repo} holds nothing that can be fetched here: no safetensors and no GGUF files.</source>
        <translation>{repo} enthält nichts, was sich hier holen lässt: keine Safetensors und keine GGUF-Dateien.</translation>
    </message>
    <message>
        <source>{repo} keeps changing on the hub while it is fetched. What was fetched is kept; try again later.</source>
        <translation>{repo} ändert sich im Hub immer wieder, während es geholt wird. Was geholt ist, bleibt; versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
        <source>{name} has changed on the hub while it was fetched. The hub is asked again what there is.</source>
        <translation>{name} hat sich im Hub geändert, während es geholt wurde. Der Hub wird noch einmal gefragt, was es gibt.</translation>
    </message>
    <message>
        <source>The hub answers for {name} with a checksum or commit that is none (“{text}”). It is not taken.</source>
        <translation>Der Hub nennt für {name} eine Prüfsumme oder einen Commit, der keiner ist („{text}“). Das wird nicht angenommen.</translation>
    </message>
    <message>
        <source>The hub packs {name} in a way that was not asked for ({text}).</source>
        <translation>Der Hub packt {name} auf eine Art, die nicht verlangt war ({text}).</translation>
    </message>
    <message>
        <source>The hub sends other bytes of {name} than were asked for.</source>
        <translation>Der Hub sendet andere Bytes von {name} als verlangt.</translation>
    </message>
    <message>
        <source>What comes for {name} is something else. A network that wants you to sign in first, as in hotels, answers like this.</source>
        <translation>Was für {name} kommt, ist etwas anderes. So antwortet ein Netz, das erst eine Anmeldung verlangt, etwa in Hotels.</translation>
    </message>
    <message>
        <source>The place where {name} lies ({host}) answers with an error ({status}).</source>
        <translation>Der Ort, an dem {name} liegt ({host}), antwortet mit einem Fehler ({status}).</translation>
    </message>
    <message>
        <source>{name} comes too slowly to count; the connection is made anew.</source>
        <translation>{name} kommt so langsam, dass es nicht zählt; die Verbindung wird neu aufgebaut.</translation>
    </message>
    <message>
        <source>The connection ended before all of {name} was there.</source>
        <translation>Die Verbindung endete, bevor {name} ganz da war.</translation>
    </message>
    <message>
        <source>The download has failed by a fault of this program ({reason}).</source>
        <translation>Der Download ist durch einen Fehler dieses Programms misslungen ({reason}).</translation>
    </message>
    <message>
        <source>{host} cannot be reached: {reason}. Check the network.</source>
        <translation>{host} ist nicht erreichbar: {reason}. Prüfen Sie das Netz.</translation>
    </message>
    <message>
        <source>{host} has not answered for {seconds} seconds.</source>
        <translation>{host} hat seit {seconds} Sekunden nicht geantwortet.</translation>
    </message>
    <message>
        <source>{host} ended the connection.</source>
        <translation>{host} hat die Verbindung beendet.</translation>
    </message>
    <message>
        <source>What {host} answers is no answer of a hub. A network that wants you to sign in first may do so; else try again later.</source>
        <translation>Was {host} antwortet, ist nicht die Antwort eines Hubs. Vielleicht verlangt das Netz erst eine Anmeldung; sonst versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
        <source>no connection</source>
        <translation>keine Verbindung</translation>
    </message>
    <message>
        <source>{host} shows a certificate that is not trusted ({reason}). In a company’s network its file of certificates has to be set; elsewhere somebody may be listening.</source>
        <translation>{host} zeigt ein Zertifikat, dem nicht vertraut wird ({reason}). Im Netz einer Firma muss deren Zertifikatsdatei eingestellt sein; anderswo hört vielleicht jemand mit.</translation>
    </message>
    <message>
        <source>The proxy {host} does not let the request pass ({reason}).</source>
        <translation>Der Proxy {host} lässt die Anfrage nicht durch ({reason}).</translation>
    </message>
    <message>
        <source>The proxy {host}:{port} cannot be reached. Check it in the settings.</source>
        <translation>Der Proxy {host}:{port} ist nicht erreichbar. Prüfen Sie ihn in den Einstellungen.</translation>
    </message>
    <message>
        <source>{host} sends the download from one place to the next without end.</source>
        <translation>{host} schickt den Download ohne Ende von einem Ort zum nächsten.</translation>
    </message>
    <message>
        <source>{host} wants the file to be fetched without encryption. That is refused.</source>
        <translation>{host} will, dass die Datei unverschlüsselt geholt wird. Das wird abgelehnt.</translation>
    </message>
    <message>
        <source>The proxy “{text}” cannot be used: only proxies whose address begins with http:// can.</source>
        <translation>Der Proxy „{text}“ ist nicht brauchbar: Möglich sind nur Proxys, deren Adresse mit http:// beginnt.</translation>
    </message>
    <message>
        <source>The hub names “{text}” as the place of a file, which is no web address.</source>
        <translation>Der Hub nennt „{text}“ als Ort einer Datei; das ist keine Webadresse.</translation>
    </message>
    <message>
        <source>The download does not understand what it is to fetch.</source>
        <translation>Der Download versteht nicht, was er holen soll.</translation>
    </message>
    <message>
        <source>it is no file</source>
        <translation>keine Datei</translation>
    </message>
    <message>
        <source>it is too large</source>
        <translation>zu groß</translation>
    </message>
    <message>
        <source>it is nested too deep</source>
        <translation>zu tief verschachtelt</translation>
    </message>
    <message>
        <source>it is not a JSON object</source>
        <translation>kein JSON-Objekt</translation>
    </message>
    <message>
        <source>{name} is not a model folder: it has no config.json.</source>
        <translation>{name} ist kein Modellordner: Er hat keine config.json.</translation>
    </message>
    <message>
        <source>The config.json of {name} cannot be read ({reason}). Fetch it again.</source>
        <translation>Die config.json von {name} kann nicht gelesen werden ({reason}). Holen Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>{file} of {name} cannot be read. Fetch it again.</source>
        <translation>{file} von {name} kann nicht gelesen werden. Holen Sie die Datei noch einmal.</translation>
    </message>
    <message>
        <source>{name} is incomplete: {missing} of {count} weight files are missing, the first is {file}. Fetch what is missing.</source>
        <translation>{name} ist nicht vollständig: {missing} von {count} Gewichtsdateien fehlen, die erste ist {file}. Holen Sie, was fehlt.</translation>
    </message>
    <message>
        <source>{name} has its weights only as {file}, a format that can run programs. Inglenook loads safetensors; look for such a build of the model.</source>
        <translation>{name} hat seine Gewichte nur als {file}, ein Format, das Programme ausführen kann. Inglenook lädt Safetensors; suchen Sie eine solche Ausgabe des Modells.</translation>
    </message>
    <message>
        <source>{name} has its weights only as {file}. Inglenook loads safetensors; it can convert the file, which takes some minutes and as much disk again.</source>
        <translation>{name} hat seine Gewichte nur als {file}. Inglenook lädt Safetensors; es kann die Datei umwandeln. Das dauert einige Minuten und braucht noch einmal so viel Platz auf der Platte.</translation>
    </message>
    <message>
        <source>{name} has no weights: there is no .safetensors file in its folder.</source>
        <translation>{name} hat keine Gewichte: In seinem Ordner ist keine .safetensors-Datei.</translation>
    </message>
    <message>
        <source>The weight file {file} of {name} is damaged ({reason}). Fetch it again.</source>
        <translation>Die Gewichtsdatei {file} von {name} ist beschädigt ({reason}). Holen Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>{file} of {name} is not the file itself but a pointer to it (git-lfs). Fetch the file.</source>
        <translation>{file} von {name} ist nicht die Datei selbst, sondern ein Verweis auf sie (git-lfs). Holen Sie die Datei.</translation>
    </message>
    <message>
        <source>The tokenizer of {name} is missing: none of {files} is in its folder. Fetch the model&apos;s tokenizer files again, or choose a folder that has them.</source>
        <translation>Der Tokenizer von {name} fehlt: In seinem Ordner ist nichts von {files}. Holen Sie die Tokenizer-Dateien des Modells noch einmal oder wählen Sie einen Ordner, der sie hat.</translation>
    </message>
    <message>
        <source>There is no tokenizer in {folder}: none of {files} is there.</source>
        <translation>In {folder} ist kein Tokenizer: Von {files} ist nichts da.</translation>
    </message>
    <message>
        <source>The tokenizer.json of {name} is damaged ({reason}). Fetch it again.</source>
        <translation>Die tokenizer.json von {name} ist beschädigt ({reason}). Holen Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>{name} has no chat template, so it is a base model, not made for chats. Choose its “Instruct” or “Chat” build, or a file with a template.</source>
        <translation>{name} hat keine Chatvorlage, ist also ein Basismodell, nicht für Chats gemacht. Wählen Sie seine Ausgabe „Instruct“ oder „Chat“ oder eine Datei mit einer Vorlage.</translation>
    </message>
    <message>
        <source>The chat template {file} cannot be read ({reason}).</source>
        <translation>Die Chatvorlage {file} kann nicht gelesen werden ({reason}).</translation>
    </message>
    <message>
        <source>{name} is quantised with {method}, which this engine does not load. Look for an AWQ, GPTQ, FP8 or unquantised build of the model.</source>
        <translation>{name} ist mit {method} quantisiert; das lädt diese Engine nicht. Suchen Sie eine AWQ-, GPTQ-, FP8- oder unquantisierte Ausgabe des Modells.</translation>
    </message>
    <message>
        <source>{name} has {heads} attention heads and {kv_heads} KV heads, which cannot be divided among {parts} devices.</source>
        <translation>{name} hat {heads} Attention-Köpfe und {kv_heads} KV-Köpfe; auf {parts} Geräte lassen sie sich nicht aufteilen.</translation>
    </message>
    <message>
        <source>{name} reads {limit} tokens at most; {asked} are asked for.</source>
        <translation>{name} liest höchstens {limit} Token; verlangt sind {asked}.</translation>
    </message>
    <message>
        <source>{file} stretches positions in a way that cannot be converted ({kind}). Look for the same model as safetensors.</source>
        <translation>{file} streckt Positionen auf eine Art, die sich nicht umwandeln lässt ({kind}). Suchen Sie dasselbe Modell als Safetensors.</translation>
    </message>
    <message>
        <source>{file} holds a model of the architecture {architecture}, which cannot be converted. Look for the same model as safetensors.</source>
        <translation>{file} enthält ein Modell der Architektur {architecture}, die sich nicht umwandeln lässt. Suchen Sie dasselbe Modell als Safetensors.</translation>
    </message>
    <message>
        <source>The tokenizer in {file} cannot be converted ({reason}).</source>
        <translation>Der Tokenizer in {file} kann nicht umgewandelt werden ({reason}).</translation>
    </message>
    <message>
        <source>{file} does not hold the whole model: {count} of its parts are missing, the first is {first}.</source>
        <translation>{file} enthält nicht das ganze Modell: {count} seiner Teile fehlen, der erste ist {first}.</translation>
    </message>
    <message>
        <source>{file} is damaged: some of its weights are no numbers. Fetch it again.</source>
        <translation>{file} ist beschädigt: Einige Gewichte sind keine Zahlen. Holen Sie die Datei noch einmal.</translation>
    </message>
    <message>
        <source>{file} has to be converted first: the processor cannot compute with GGUF weights. It takes {disk} GiB of disk, {memory} GiB of memory meanwhile and about {minutes} min.</source>
        <translation>{file} muss erst umgewandelt werden: Der Prozessor kann mit GGUF-Gewichten nicht rechnen. Das braucht {disk} GiB auf der Platte, währenddessen {memory} GiB Arbeitsspeicher und etwa {minutes} min.</translation>
    </message>
    <message>
        <source>{file} has to be converted first: vLLM&apos;s GGUF plugin is not installed. It takes {disk} GiB of disk, {memory} GiB of memory meanwhile and about {minutes} min.</source>
        <translation>{file} muss erst umgewandelt werden: Das GGUF-Plugin von vLLM ist nicht installiert. Das Umwandeln braucht {disk} GiB auf der Platte, währenddessen {memory} GiB Arbeitsspeicher und etwa {minutes} min.</translation>
    </message>
    <message>
        <source>{file} has to be converted first: vLLM&apos;s GGUF plugin is not known to load models of the architecture {method}. It takes {disk} GiB of disk, {memory} GiB of memory meanwhile and about {minutes} min.</source>
        <translation>{file} muss erst umgewandelt werden: Vom GGUF-Plugin von vLLM ist nicht bekannt, dass es Modelle der Architektur {method} lädt. Das Umwandeln braucht {disk} GiB auf der Platte, währenddessen {memory} GiB Arbeitsspeicher und etwa {minutes} min.</translation>
    </message>
    <message>
        <source>{file} cannot be looked into ({reason}).</source>
        <translation>{file} kann nicht durchgesehen werden ({reason}).</translation>
    </message>
    <message>
        <source>The hub’s address “{text}” is no web address. It reads like https://huggingface.co.</source>
        <translation>Die Adresse des Hubs, „{text}“, ist keine Webadresse. Sie sieht aus wie https://huggingface.co.</translation>
    </message>
    <message>
        <source>The proxy “{text}” is no address of one. It reads like http://proxy.example.org:3128.</source>
        <translation>Der Proxy „{text}“ ist keine Adresse eines Proxys. Sie sieht aus wie http://proxy.example.org:3128.</translation>
    </message>
    <message>
        <source>The proxy “{text}” speaks SOCKS; only HTTP proxies can be used.</source>
        <translation>Der Proxy „{text}“ spricht SOCKS; möglich sind nur HTTP-Proxys.</translation>
    </message>
    <message>
        <source>The file of certificates {path} cannot be read: {reason}.</source>
        <translation>Die Zertifikatsdatei {path} kann nicht gelesen werden: {reason}.</translation>
    </message>
    <message>
        <source>The file {path} holds no certificates in PEM form (-----BEGIN CERTIFICATE-----).</source>
        <translation>Die Datei {path} enthält keine Zertifikate in PEM-Form (-----BEGIN CERTIFICATE-----).</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>Es wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The hub ({host}) is too slow: it did not answer in time. Try again later.</source>
        <translation>Der Hub ({host}) ist zu langsam: Er hat nicht rechtzeitig geantwortet. Versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
        <source>The hub ({host}) sends more than such an answer ever has; it was not read further.</source>
        <translation>Der Hub ({host}) sendet mehr, als eine solche Antwort je hat; es wurde nicht weiter gelesen.</translation>
    </message>
    <message>
        <source>“{text}” is no branch, tag or commit.</source>
        <translation>„{text}“ ist kein Branch, Tag oder Commit.</translation>
    </message>
    <message>
        <source>The answer of the hub ({host}) makes no sense ({what}).</source>
        <translation>Die Antwort des Hubs ({host}) ergibt keinen Sinn ({what}).</translation>
    </message>
    <message>
        <source>What answers at {host} is no hub. Is the address right, or must you sign in to this network first?</source>
        <translation>Was unter {host} antwortet, ist kein Hub. Stimmt die Adresse, oder müssen Sie sich in diesem Netz erst anmelden?</translation>
    </message>
    <message>
        <source>it is not the data that was asked for</source>
        <translation>es sind nicht die verlangten Daten</translation>
    </message>
    <message>
        <source>The token in {path} cannot be used: {reason}. Sign in again.</source>
        <translation>Das Token in {path} ist nicht brauchbar: {reason}. Melden Sie sich noch einmal an.</translation>
    </message>
    <message>
        <source>it is none</source>
        <translation>es ist keines</translation>
    </message>
    <message>
        <source>it names a commit that is none</source>
        <translation>sie nennt einen Commit, der keiner ist</translation>
    </message>
    <message>
        <source>That is no token. One begins with “hf_”; make it in the hub’s settings, under Access Tokens.</source>
        <translation>Das ist kein Token. Eines beginnt mit „hf_“; erstellen Sie es in den Einstellungen des Hubs unter Access Tokens.</translation>
    </message>
    <message>
        <source>That is the token of an organisation; use one of your own account.</source>
        <translation>Das ist das Token einer Organisation; nehmen Sie eines Ihres eigenen Kontos.</translation>
    </message>
    <message>
        <source>The token could not be kept in {path}: {reason}.</source>
        <translation>Das Token konnte nicht in {path} behalten werden: {reason}.</translation>
    </message>
    <message>
        <source>The token could not be removed from {path}: {reason}.</source>
        <translation>Das Token konnte nicht aus {path} entfernt werden: {reason}.</translation>
    </message>
    <message>
        <source>it does not say whose token it is</source>
        <translation>sie sagt nicht, wem das Token gehört</translation>
    </message>
    <message>
        <source>It is made for something else than writing text ({task}).</source>
        <translation>Es ist für etwas anderes gemacht, als Text zu schreiben ({task}).</translation>
    </message>
    <message>
        <source>Its files are for another program ({program}).</source>
        <translation>Seine Dateien sind für ein anderes Programm ({program}).</translation>
    </message>
    <message>
        <source>It is an addition to another model (an adapter), not a model.</source>
        <translation>Es ist eine Ergänzung zu einem anderen Modell (ein Adapter), kein Modell.</translation>
    </message>
    <message>
        <source>It is quantised with {method}, which this engine does not load.</source>
        <translation>Es ist mit {method} quantisiert; das lädt diese Engine nicht.</translation>
    </message>
    <message>
        <source>This engine does not know its architecture ({name}).</source>
        <translation>Diese Engine kennt seine Architektur nicht ({name}).</translation>
    </message>
    <message>
        <source>It needs Python code of its own ({name}); such code is never run here.</source>
        <translation>Es braucht eigenen Python-Code ({name}); solcher Code wird hier nie ausgeführt.</translation>
    </message>
    <message>
        <source>It has no safetensors, the only weights that are loaded here.</source>
        <translation>Es hat keine Safetensors, und nur solche Gewichte werden hier geladen.</translation>
    </message>
    <message>
        <source>a format that can run programs when it is read; safetensors hold the same</source>
        <translation>ein Format, das beim Lesen Programme ausführen kann; Safetensors enthalten dasselbe</translation>
    </message>
    <message>
        <source>a program; a model’s own code is never fetched or run</source>
        <translation>ein Programm; der eigene Code eines Modells wird nie geholt oder ausgeführt</translation>
    </message>
    <message>
        <source>weights for another program</source>
        <translation>Gewichte für ein anderes Programm</translation>
    </message>
    <message>
        <source>the same weights once more, in another layout</source>
        <translation>dieselben Gewichte noch einmal, in anderer Anordnung</translation>
    </message>
    <message>
        <source>an addition to a model (an adapter), not loaded here</source>
        <translation>eine Ergänzung zu einem Modell (ein Adapter), hier nicht geladen</translation>
    </message>
    <message>
        <source>another build of the model</source>
        <translation>eine andere Ausgabe des Modells</translation>
    </message>
    <message>
        <source>one part of a build that is split; it would have to be joined first</source>
        <translation>ein Teil einer geteilten Ausgabe; sie müsste erst zusammengefügt werden</translation>
    </message>
    <message>
        <source>the part that sees images, not used here</source>
        <translation>der Teil, der Bilder sieht, hier nicht genutzt</translation>
    </message>
    <message>
        <source>a picture, sound or document</source>
        <translation>ein Bild, Ton oder Dokument</translation>
    </message>
    <message>
        <source>an archive; nothing is unpacked here</source>
        <translation>ein Archiv; hier wird nichts entpackt</translation>
    </message>
    <message>
        <source>the hub’s own</source>
        <translation>gehört dem Hub</translation>
    </message>
    <message>
        <source>in a folder of its own; the model’s files lie at the top</source>
        <translation>in einem eigenen Ordner; die Dateien des Modells liegen ganz oben</translation>
    </message>
    <message>
        <source>it is called like the list of files that is kept with each model here</source>
        <translation>heißt wie die Dateiliste, die hier bei jedem Modell liegt</translation>
    </message>
    <message>
        <source>too large to be what its name says</source>
        <translation>zu groß für das, was der Name sagt</translation>
    </message>
    <message>
        <source>not needed</source>
        <translation>nicht nötig</translation>
    </message>
    <message>
        <source>{repo} has no weights that can be loaded here.</source>
        <translation>{repo} hat keine Gewichte, die sich hier laden lassen.</translation>
    </message>
    <message>
        <source>{repo} has its GGUF files only in parts, which cannot be joined here. Look for a build in one file, or for safetensors.</source>
        <translation>{repo} hat seine GGUF-Dateien nur in Teilen, die sich hier nicht zusammenfügen lassen. Suchen Sie eine Ausgabe in einer Datei oder Safetensors.</translation>
    </message>
    <message>
        <source>{repo} is an addition to another model (an adapter), not a model.</source>
        <translation>{repo} ist eine Ergänzung zu einem anderen Modell (ein Adapter), kein Modell.</translation>
    </message>
    <message>
        <source>{repo} is incomplete: {missing} of {count} weight files are missing.</source>
        <translation>{repo} ist nicht vollständig: {missing} von {count} Gewichtsdateien fehlen.</translation>
    </message>
    <message>
        <source>{repo} has no tokenizer; its weights alone cannot be used.</source>
        <translation>{repo} hat keinen Tokenizer; die Gewichte allein sind nicht brauchbar.</translation>
    </message>
    <message>
        <source>{repo} has no config.json; its weights alone cannot be used.</source>
        <translation>{repo} hat keine config.json; die Gewichte allein sind nicht brauchbar.</translation>
    </message>
    <message>
        <source>{repo} has no build “{name}”. It has: {names}.</source>
        <translation>{repo} hat keine Ausgabe „{name}“. Es gibt: {names}.</translation>
    </message>
    <message>
        <source>{repo} has no build “{name}”.</source>
        <translation>{repo} hat keine Ausgabe „{name}“.</translation>
    </message>
    <message>
        <source>Offline mode is on, so the hub is not asked. Switch it off in the settings (or unset HF_HUB_OFFLINE).</source>
        <translation>Der Offline-Modus ist an, also wird der Hub nicht gefragt. Schalten Sie ihn in den Einstellungen ab (oder heben Sie HF_HUB_OFFLINE auf).</translation>
    </message>
    <message>
        <source>The hub ({host}) cannot be reached: {reason}. Check the network, or the hub’s address in the settings.</source>
        <translation>Der Hub ({host}) ist nicht erreichbar: {reason}. Prüfen Sie das Netz oder die Adresse des Hubs in den Einstellungen.</translation>
    </message>
    <message>
        <source>The connection to the hub ({host}) was lost: {reason}. Try again.</source>
        <translation>Die Verbindung zum Hub ({host}) ging verloren: {reason}. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The hub ({host}) does not answer. Try again later.</source>
        <translation>Der Hub ({host}) antwortet nicht. Versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
        <source>The proxy {proxy} does not let us through: {reason}. Check it in the settings.</source>
        <translation>Der Proxy {proxy} lässt uns nicht durch: {reason}. Prüfen Sie ihn in den Einstellungen.</translation>
    </message>
    <message>
        <source>The proxy {proxy} cannot be reached: {reason}. Check it in the settings.</source>
        <translation>Der Proxy {proxy} ist nicht erreichbar: {reason}. Prüfen Sie ihn in den Einstellungen.</translation>
    </message>
    <message>
        <source>The hub’s certificate ({host}) is not trusted: {reason}. Where a company’s network looks into traffic, name its file of certificates in the settings.</source>
        <translation>Dem Zertifikat des Hubs ({host}) wird nicht vertraut: {reason}. Wo das Netz einer Firma in den Datenverkehr sieht, nennen Sie deren Zertifikatsdatei in den Einstellungen.</translation>
    </message>
    <message>
        <source>The certificates that are to be trusted cannot be read ({path}): {reason}.</source>
        <translation>Die Zertifikate, denen vertraut werden soll, können nicht gelesen werden ({path}): {reason}.</translation>
    </message>
    <message>
        <source>The hub ({host}) sends us round in circles.</source>
        <translation>Der Hub ({host}) schickt uns im Kreis.</translation>
    </message>
    <message>
        <source>The hub ({host}) sends us where we do not follow: to a file, or to an address without encryption.</source>
        <translation>Der Hub ({host}) schickt uns dorthin, wohin wir nicht folgen: zu einer Datei oder einer Adresse ohne Verschlüsselung.</translation>
    </message>
    <message>
        <source>The hub ({host}) packs its answer in a way that was not asked for.</source>
        <translation>Der Hub ({host}) packt seine Antwort auf eine Art, die nicht verlangt war.</translation>
    </message>
    <message>
        <source>What was asked cannot be understood.</source>
        <translation>Was gefragt wurde, ist nicht zu verstehen.</translation>
    </message>
    <message>
        <source>The number of this question is that of another one.</source>
        <translation>Die Nummer dieser Frage gehört schon zu einer anderen.</translation>
    </message>
    <message>
        <source>Too many questions wait for the hub.</source>
        <translation>Zu viele Fragen warten auf den Hub.</translation>
    </message>
    <message>
        <source>Something went wrong in this program ({reason}). The details are in its log.</source>
        <translation>In diesem Programm ist etwas schiefgegangen ({reason}). Einzelheiten stehen in seinem Protokoll.</translation>
    </message>
    <message>
        <source>You have asked for access to {repo}; its authors have not answered yet. They see to it on their own time; try again later.</source>
        <translation>Sie haben um Zugang zu {repo} gebeten; die Autoren haben noch nicht geantwortet. Sie tun es, wenn sie Zeit haben; versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
        <source>{repo} is gated: accept its licence on its page on the hub, with the account that you are signed in with here, and then try again.</source>
        <translation>{repo} ist zugangsbeschränkt: Nehmen Sie die Lizenz auf der Seite im Hub an, mit dem Konto, mit dem Sie hier angemeldet sind, und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
        <source>{repo} is gated: accept its licence on its page on the hub, then sign in here with a token of that account.</source>
        <translation>{repo} ist zugangsbeschränkt: Nehmen Sie die Lizenz auf der Seite im Hub an und melden Sie sich dann hier mit einem Token dieses Kontos an.</translation>
    </message>
    <message>
        <source>Your token does not permit this ({path}). Make one that may read all the repositories that your account can read.</source>
        <translation>Ihr Token erlaubt das nicht ({path}). Erstellen Sie eines, das alle Repositorys lesen darf, die Ihr Konto lesen kann.</translation>
    </message>
    <message>
        <source>The hub does not know your token: it is mistyped, has run out or was withdrawn. Sign in again.</source>
        <translation>Der Hub kennt Ihr Token nicht: Es ist vertippt, abgelaufen oder wurde zurückgezogen. Melden Sie sich noch einmal an.</translation>
    </message>
    <message>
        <source>The hub shows no {repo} to everybody: the name is mistyped, or the model is private and you must sign in.</source>
        <translation>Der Hub zeigt {repo} nicht jedem: Der Name ist vertippt, oder das Modell ist privat und Sie müssen sich anmelden.</translation>
    </message>
    <message>
        <source>The hub wants you to sign in for this.</source>
        <translation>Der Hub verlangt dafür eine Anmeldung.</translation>
    </message>
    <message>
        <source>{repo} has no such branch, tag or commit.</source>
        <translation>{repo} hat keinen solchen Branch, Tag oder Commit.</translation>
    </message>
    <message>
        <source>{repo} has no such file.</source>
        <translation>{repo} hat keine solche Datei.</translation>
    </message>
    <message>
        <source>{file} of {repo} is empty, or shorter than it must be.</source>
        <translation>{file} von {repo} ist leer oder kürzer als nötig.</translation>
    </message>
    <message>
        <source>There is no model {repo} on the hub.</source>
        <translation>Ein Modell {repo} gibt es im Hub nicht.</translation>
    </message>
    <message>
        <source>The hub ({host}) has nothing at {path}. Is it the address of a hub?</source>
        <translation>Der Hub ({host}) hat unter {path} nichts. Ist das die Adresse eines Hubs?</translation>
    </message>
    <message>
        <source>{repo} has been closed by the hub; nobody gets its files.</source>
        <translation>{repo} wurde vom Hub geschlossen; niemand bekommt die Dateien.</translation>
    </message>
    <message>
        <source>The hub wants fewer requests. Try again in {count} seconds.</source>
        <translation>Der Hub will weniger Anfragen. Versuchen Sie es in {count} Sekunden noch einmal.</translation>
    </message>
    <message>
        <source>The hub wants fewer requests. Try again in {count} minutes.</source>
        <translation>Der Hub will weniger Anfragen. Versuchen Sie es in {count} Minuten noch einmal.</translation>
    </message>
    <message>
        <source>The hub wants fewer requests. Try again in {count} hours.</source>
        <translation>Der Hub will weniger Anfragen. Versuchen Sie es in {count} Stunden noch einmal.</translation>
    </message>
    <message>
        <source>The hub wants fewer requests. Try again later.</source>
        <translation>Der Hub will weniger Anfragen. Versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
        <source>The proxy wants a user’s name and password, or has other ones (407).</source>
        <translation>Der Proxy verlangt Benutzername und Passwort oder hat andere (407).</translation>
    </message>
    <message>
        <source>The hub ({host}) answers with an error ({status}). Try again later.</source>
        <translation>Der Hub ({host}) antwortet mit einem Fehler ({status}). Versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
        <source>{file} of {name} is too large.</source>
        <translation>{file} von {name} ist zu groß.</translation>
    </message>
    <message>
        <source>The head of {file} is too large to be read.</source>
        <translation>Der Kopf von {file} ist zu groß, um gelesen zu werden.</translation>
    </message>
    <message>
        <source>{file} of {name} is not what its name says, or damaged.</source>
        <translation>{file} von {name} ist nicht, was der Name sagt, oder beschädigt.</translation>
    </message>
    <message>
        <source>it sends another part of {file} than was asked for</source>
        <translation>sie bringt einen anderen Teil von {file} als verlangt</translation>
    </message>
    <message>
        <source>{name} has no config.json, so it is no model that can be planned for. It may hold GGUF files only, or an adapter.</source>
        <translation>{name} hat keine config.json, ist also kein Modell, für das sich planen lässt. Vielleicht enthält es nur GGUF-Dateien oder einen Adapter.</translation>
    </message>
    <message>
        <source>The list of {name}’s weight files makes no sense.</source>
        <translation>Die Liste der Gewichtsdateien von {name} ergibt keinen Sinn.</translation>
    </message>
    <message>
        <source>{name} is incomplete: weight files are missing.</source>
        <translation>{name} ist nicht vollständig: Gewichtsdateien fehlen.</translation>
    </message>
    <message>
        <source>it names a file “{name}”, which no folder here may hold</source>
        <translation>sie nennt eine Datei „{name}“, die hier in keinem Ordner liegen darf</translation>
    </message>
    <message>
        <source>it does not tell the size of {name}</source>
        <translation>sie nennt die Größe von {name} nicht</translation>
    </message>
    <message>
        <source>it names a checksum of {name} that is none</source>
        <translation>sie nennt eine Prüfsumme von {name}, die keine ist</translation>
    </message>
    <message>
        <source>it names {name} twice</source>
        <translation>sie nennt {name} doppelt</translation>
    </message>
    <message>
        <source>it names more files than any model has</source>
        <translation>sie nennt mehr Dateien, als ein Modell je hat</translation>
    </message>
    <message>
        <source>it is about another model</source>
        <translation>sie handelt von einem anderen Modell</translation>
    </message>
    <message>
        <source>Fits with {context} tokens.</source>
        <translation>Passt mit {context} Token.</translation>
    </message>
    <message>
        <source>Fits with {context} tokens, {chats} such chats at once.</source>
        <translation>Passt mit {context} Token, {chats} solche Chats zugleich.</translation>
    </message>
    <message>
        <source>Fits on {count} GPUs together, with {context} tokens.</source>
        <translation>Passt auf {count} GPUs zusammen, mit {context} Token.</translation>
    </message>
    <message>
        <source>Too big: {missing} more memory is needed.</source>
        <translation>Zu groß: {missing} mehr Speicher sind nötig.</translation>
    </message>
    <message>
        <source>Too big for this computer’s memory: {missing} more are needed.</source>
        <translation>Zu groß für den Arbeitsspeicher dieses Rechners: {missing} mehr sind nötig.</translation>
    </message>
    <message>
        <source>{repo} has nothing that can be loaded here.</source>
        <translation>{repo} hat nichts, was sich hier laden lässt.</translation>
    </message>
    <message>
        <source>{needed} GiB are needed in {folder}, {free} GiB are free. Free some space and try again.</source>
        <translation>{needed} GiB sind in {folder} nötig, {free} GiB sind frei. Schaffen Sie Platz und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>{folder} cannot be written: you have no right to. Choose another folder.</source>
        <translation>In {folder} kann nicht geschrieben werden: Sie haben kein Recht dazu. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The disk of {folder} is read-only. Make it writable, or choose another one.</source>
        <translation>Die Platte von {folder} ist schreibgeschützt. Machen Sie sie beschreibbar oder wählen Sie eine andere.</translation>
    </message>
    <message>
        <source>The disk of {folder} is not there any more. Connect it and try again.</source>
        <translation>Die Platte von {folder} ist nicht mehr da. Schließen Sie sie an und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The disk of {folder} reports an error when it is read or written. It may be failing: keep a copy of what is on it.</source>
        <translation>Die Platte von {folder} meldet beim Lesen oder Schreiben einen Fehler. Vielleicht fällt sie bald aus: Sichern Sie, was darauf ist.</translation>
    </message>
    <message>
        <source>The disk of {folder} cannot hold files of such a size (FAT keeps 4 GB at most). Choose another disk, or format it as ext4, Btrfs, XFS or exFAT.</source>
        <translation>Die Platte von {folder} kann keine so großen Dateien aufnehmen (FAT fasst höchstens 4 GB). Wählen Sie eine andere Platte oder formatieren Sie sie mit ext4, Btrfs, XFS oder exFAT.</translation>
    </message>
    <message>
        <source>The disk of {folder} cannot hold a file of this name: {name}.</source>
        <translation>Die Platte von {folder} kann keine Datei dieses Namens aufnehmen: {name}.</translation>
    </message>
    <message>
        <source>The disk of {folder} cannot hold a link, which {name} is or would be. Choose another disk.</source>
        <translation>Die Platte von {folder} kann keine Verknüpfung aufnehmen; {name} ist oder wäre eine. Wählen Sie eine andere Platte.</translation>
    </message>
    <message>
        <source>{name} is not there any more.</source>
        <translation>{name} ist nicht mehr da.</translation>
    </message>
    <message>
        <source>Something went wrong with {folder}: {reason}.</source>
        <translation>Mit {folder} ist etwas schiefgegangen: {reason}.</translation>
    </message>
    <message>
        <source>There is no model folder at {folder}.</source>
        <translation>Bei {folder} ist kein Modellordner.</translation>
    </message>
    <message>
        <source>The model folder {name} cannot be read ({reason}).</source>
        <translation>Der Modellordner {name} kann nicht gelesen werden ({reason}).</translation>
    </message>
    <message>
        <source>The config.json of {name} tells of {layers} layers; its weights have fewer. Fetch the model again.</source>
        <translation>Die config.json von {name} nennt {layers} Schichten; die Gewichte haben weniger. Holen Sie das Modell noch einmal.</translation>
    </message>
    <message>
        <source>The download of {name} was broken off. Fetch what is missing.</source>
        <translation>Der Download von {name} wurde abgebrochen. Holen Sie, was fehlt.</translation>
    </message>
    <message>
        <source>{name} is incomplete: {count} of its files are missing, the first is {file}.</source>
        <translation>{name} ist nicht vollständig: {count} Dateien fehlen, die erste ist {file}.</translation>
    </message>
    <message>
        <source>{file} of {name} is not as it was fetched: its size is another. Verify the model, and fetch the file again.</source>
        <translation>{file} von {name} ist nicht mehr, wie sie geholt wurde: Ihre Größe ist eine andere. Prüfen Sie das Modell und holen Sie die Datei noch einmal.</translation>
    </message>
    <message>
        <source>{name} is made for other tasks than chats ({architecture}).</source>
        <translation>{name} ist für andere Aufgaben als Chats gemacht ({architecture}).</translation>
    </message>
    <message>
        <source>{name} is in {count} parts, of which {missing} are missing, the first is {file}. Fetch them.</source>
        <translation>{name} besteht aus {count} Teilen, von denen {missing} fehlen; der erste ist {file}. Holen Sie sie.</translation>
    </message>
    <message>
        <source>{name} lies in a folder of yours, from which Inglenook deletes nothing. Delete it there, or take the folder off the list.</source>
        <translation>{name} liegt in einem Ihrer Ordner, und dort löscht Inglenook nichts. Löschen Sie es dort oder nehmen Sie den Ordner von der Liste.</translation>
    </message>
    <message>
        <source>The starter model is a part of Inglenook: it would be made again.</source>
        <translation>Das Startmodell gehört zu Inglenook: Es würde neu gebaut.</translation>
    </message>
    <message>
        <source>{path} is no model of the store.</source>
        <translation>{path} ist kein Modell der Ablage.</translation>
    </message>
    <message>
        <source>The models are being moved to another disk. Wait until that is done.</source>
        <translation>Die Modelle werden gerade auf eine andere Platte verschoben. Warten Sie, bis das fertig ist.</translation>
    </message>
    <message>
        <source>Something is being fetched, imported or made in the model store. Let it finish, or stop it, and try again.</source>
        <translation>In der Ablage der Modelle wird gerade etwas geholt, importiert oder gemacht. Lassen Sie es fertig werden oder halten Sie es an und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The library was given nothing to do that it knows.</source>
        <translation>Die Bibliothek bekam nichts zu tun, was sie kennt.</translation>
    </message>
    <message>
        <source>Something went wrong that should not: {reason}.</source>
        <translation>Etwas ist schiefgegangen, was nicht sollte: {reason}.</translation>
    </message>
    <message>
        <source>It was stopped.</source>
        <translation>Es wurde angehalten.</translation>
    </message>
    <message>
        <source>{name} is being read by {program}. Wait until that is done, and try again.</source>
        <translation>{name} wird gerade von {program} gelesen. Warten Sie, bis das fertig ist, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>{name} lies on another disk than the model store, so it cannot go into the bin: it would be deleted at once.</source>
        <translation>{name} liegt auf einer anderen Platte als die Ablage der Modelle und kann deshalb nicht in den Papierkorb: Es würde sofort gelöscht.</translation>
    </message>
    <message>
        <source>{path} is there again, so the deleted one cannot be put back in its place.</source>
        <translation>{path} gibt es wieder, deshalb kann das Gelöschte nicht an seine Stelle zurück.</translation>
    </message>
    <message>
        <source>There is no such model in the bin.</source>
        <translation>Ein solches Modell ist nicht im Papierkorb.</translation>
    </message>
    <message>
        <source>{name} was deleted.</source>
        <translation>{name} wurde gelöscht.</translation>
    </message>
    <message>
        <source>{name} is in the bin.</source>
        <translation>{name} ist im Papierkorb.</translation>
    </message>
    <message>
        <source>The folder {folder} is not there. Connect its disk, or take it off the list.</source>
        <translation>Der Ordner {folder} ist nicht da. Schließen Sie seine Platte an oder nehmen Sie ihn von der Liste.</translation>
    </message>
    <message>
        <source>The folder {folder} cannot be read ({reason}).</source>
        <translation>Der Ordner {folder} kann nicht gelesen werden ({reason}).</translation>
    </message>
    <message>
        <source>{folder} is no folder.</source>
        <translation>{folder} ist kein Ordner.</translation>
    </message>
    <message>
        <source>The folder {folder} is too large to be searched to its end. Add the folders in it that hold models instead.</source>
        <translation>Der Ordner {folder} ist zu groß, um ihn bis zum Ende zu durchsuchen. Fügen Sie stattdessen die Ordner darin hinzu, die Modelle enthalten.</translation>
    </message>
    <message>
        <source>A model in {folder} has a name that is no UTF-8, and is left out. Rename it to have it listed.</source>
        <translation>Ein Modell in {folder} hat einen Namen, der kein UTF-8 ist, und wird ausgelassen. Benennen Sie es um, damit es in der Liste erscheint.</translation>
    </message>
    <message>
        <source>There is nothing at {path}.</source>
        <translation>Unter {path} gibt es nichts.</translation>
    </message>
    <message>
        <source>{path} is no model: it is neither a folder with a config.json and safetensors files nor a .gguf file.</source>
        <translation>{path} ist kein Modell: weder ein Ordner mit einer config.json und Safetensors-Dateien noch eine .gguf-Datei.</translation>
    </message>
    <message>
        <source>There are {count} models in {path}. Choose one of them.</source>
        <translation>In {path} sind {count} Modelle. Wählen Sie eines davon.</translation>
    </message>
    <message>
        <source>{name} lies in the model store already.</source>
        <translation>{name} liegt schon in der Ablage der Modelle.</translation>
    </message>
    <message>
        <source>{folder} has {count} files of models; {most} are taken at most. Keep each model in a folder of its own.</source>
        <translation>{folder} enthält {count} Dateien von Modellen; höchstens {most} werden übernommen. Legen Sie jedes Modell in einen eigenen Ordner.</translation>
    </message>
    <message>
        <source>There is nothing in {folder} that a model could be loaded from.</source>
        <translation>In {folder} ist nichts, woraus sich ein Modell laden ließe.</translation>
    </message>
    <message>
        <source>{file} was changed while it was copied. Try again when nobody writes to it.</source>
        <translation>{file} wurde während des Kopierens geändert. Versuchen Sie es noch einmal, wenn niemand hineinschreibt.</translation>
    </message>
    <message>
        <source>The copy of {file} is not like the original: a disk, or the memory, makes errors.</source>
        <translation>Die Kopie von {file} gleicht dem Original nicht: Eine Platte oder der Arbeitsspeicher macht Fehler.</translation>
    </message>
    <message>
        <source>There is something in {folder} already. Choose an empty folder, or a new one in it.</source>
        <translation>In {folder} ist schon etwas. Wählen Sie einen leeren Ordner oder einen neuen darin.</translation>
    </message>
    <message>
        <source>Something keeps writing into the model store. Stop it, and move the store then.</source>
        <translation>Etwas schreibt immer wieder in die Ablage der Modelle. Halten Sie es an und verschieben Sie die Ablage dann.</translation>
    </message>
    <message>
        <source>The copy of {file} in {folder} is not like the original: a disk, or the memory, makes errors. The models stay where they are.</source>
        <translation>Die Kopie von {file} in {folder} gleicht dem Original nicht: Eine Platte oder der Arbeitsspeicher macht Fehler. Die Modelle bleiben, wo sie sind.</translation>
    </message>
    <message>
        <source>There are no models yet, so there is nothing to move.</source>
        <translation>Es gibt noch keine Modelle, also nichts zu verschieben.</translation>
    </message>
    <message>
        <source>The models lie in {folder} already.</source>
        <translation>Die Modelle liegen schon in {folder}.</translation>
    </message>
    <message>
        <source>{folder} lies inside of the model store, which cannot be moved into itself.</source>
        <translation>{folder} liegt in der Ablage der Modelle; sie kann nicht in sich selbst verschoben werden.</translation>
    </message>
    <message>
        <source>The model store lies inside of {folder}. Choose another folder.</source>
        <translation>Die Ablage der Modelle liegt in {folder}. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The models lie in {folder} now.</source>
        <translation>Die Modelle liegen jetzt in {folder}.</translation>
    </message>
    <message>
        <source>The models lie in {folder} now. In {old} there are files that came meanwhile, or cannot be deleted; they were left.</source>
        <translation>Die Modelle liegen jetzt in {folder}. In {old} sind Dateien, die inzwischen dazukamen oder sich nicht löschen lassen; sie sind dort geblieben.</translation>
    </message>
    <message>
        <source>All files of {name} are unchanged.</source>
        <translation>Alle Dateien von {name} sind unverändert.</translation>
    </message>
    <message>
        <source>There are no hashes of {name}&apos;s files to compare with, so only their form was checked: they are whole.</source>
        <translation>Für die Dateien von {name} gibt es keine Prüfsummen zum Vergleichen; geprüft wurde deshalb nur ihre Form: Sie sind ganz.</translation>
    </message>
    <message>
        <source>{name} is damaged: {count} of its files are not as they should be: {files}.</source>
        <translation>{name} ist beschädigt: {count} Dateien sind nicht, wie sie sein sollten: {files}.</translation>
    </message>
    <message>
        <source>The list of {name}&apos;s files ({file}) cannot be read. Fetch the model again, or make it again if it was made here.</source>
        <translation>Die Liste der Dateien von {name} ({file}) kann nicht gelesen werden. Holen Sie das Modell noch einmal, oder machen Sie es noch einmal, wenn es hier gemacht wurde.</translation>
    </message>
    <message>
        <source>Fetch what is missing</source>
        <translation>Fehlendes holen</translation>
    </message>
    <message>
        <source>Fetch it from the hub</source>
        <translation>Aus dem Hub holen</translation>
    </message>
    <message>
        <source>Open its licence page</source>
        <translation>Lizenzseite öffnen</translation>
    </message>
    <message>
        <source>Sign in…</source>
        <translation>Anmelden…</translation>
    </message>
    <message>
        <source>the starter model is not there: {reason}</source>
        <translation>Das Startmodell ist nicht da: {reason}</translation>
    </message>
    <message>
        <source>the starter model is damaged: {reason}</source>
        <translation>Das Startmodell ist beschädigt: {reason}</translation>
    </message>
    <message>
        <source>{file} has been changed</source>
        <translation>{file} wurde verändert</translation>
    </message>
    <message>
        <source>There are fewer GPUs than the settings ask for.</source>
        <translation>Es gibt weniger GPUs, als die Einstellungen verlangen.</translation>
    </message>
    <message>
        <source>The link between the GPUs failed.</source>
        <translation>Die Verbindung zwischen den GPUs ist ausgefallen.</translation>
    </message>
</context>
<context>
    <name>FilesView</name>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Will be downloaded: {count}</source>
        <translation>Werden heruntergeladen: {count}</translation>
    </message>
    <message>
        <source>Left out: {count} ({size}) · {reason}</source>
        <translation>Ausgelassen: {count} ({size}) · {reason}</translation>
    </message>
    <message>
        <source>Weights as safetensors or GGUF, settings, tokenizer and texts: nothing that could run as a program. Each file is checked before the model counts as installed.</source>
        <translation>Gewichte als Safetensors oder GGUF, Einstellungen, Tokenizer und Texte: nichts, was als Programm laufen könnte. Jede Datei wird geprüft, bevor das Modell als installiert gilt.</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>und {count} weitere</translation>
    </message>
</context>
<context>
    <name>FilterBar</name>
    <message>
        <source>Fits here</source>
        <translation>Passt hier</translation>
    </message>
    <message>
        <source>Only what fits this machine</source>
        <translation>Nur was auf diesen Rechner passt</translation>
    </message>
    <message>
        <source>Clear limits</source>
        <translation>Eingrenzungen aufheben</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Order: {order}</source>
        <translation>Reihenfolge: {order}</translation>
    </message>
    <message>
        <source>In which order</source>
        <translation>In welcher Reihenfolge</translation>
    </message>
    <message>
        <source>{limit}: {value}</source>
        <translation>{limit}: {value}</translation>
    </message>
    <message>
        <source>any</source>
        <translation>beliebig</translation>
    </message>
    <message>
        <source>Any size</source>
        <translation>Jede Größe</translation>
    </message>
    <message>
        <source>Any context</source>
        <translation>Jeder Kontext</translation>
    </message>
    <message>
        <source>Any licence</source>
        <translation>Jede Lizenz</translation>
    </message>
    <message>
        <source>Free for any use (Apache, MIT, BSD)</source>
        <translation>Frei für jeden Zweck (Apache, MIT, BSD)</translation>
    </message>
</context>
<context>
    <name>FilterWords</name>
    <message>
        <source>AWQ: 4 bits, the fastest here</source>
        <translation>AWQ: 4 Bit, hier am schnellsten</translation>
    </message>
    <message>
        <source>FP8: 8 bits, for newer GPUs</source>
        <translation>FP8: 8 Bit, für neuere GPUs</translation>
    </message>
    <message>
        <source>GPTQ: 4 bits</source>
        <translation>GPTQ: 4 Bit</translation>
    </message>
    <message>
        <source>W4A16: 4 bits (compressed tensors)</source>
        <translation>W4A16: 4 Bit (Compressed Tensors)</translation>
    </message>
    <message>
        <source>BF16: as it was made, 16 bits</source>
        <translation>BF16: wie es gemacht wurde, 16 Bit</translation>
    </message>
    <message>
        <source>GGUF: of llama.cpp</source>
        <translation>GGUF: von llama.cpp</translation>
    </message>
    <message>
        <source>Best that fits</source>
        <translation>Die besten, die passen</translation>
    </message>
    <message>
        <source>Most downloaded</source>
        <translation>Am meisten heruntergeladen</translation>
    </message>
    <message>
        <source>Most liked</source>
        <translation>Beliebteste</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>Neueste</translation>
    </message>
    <message>
        <source>Trending</source>
        <translation>Im Trend</translation>
    </message>
    <message>
        <source>up to {size} GiB</source>
        <translation>bis {size} GiB</translation>
    </message>
    <message>
        <source>{count}k tokens or more</source>
        <translation>ab {count}k Token</translation>
    </message>
    <message>
        <source>free for any use</source>
        <translation>frei für jeden Zweck</translation>
    </message>
    <message>
        <source>one of its own</source>
        <translation>eine eigene</translation>
    </message>
</context>
<context>
    <name>GgufConversion</name>
    <message>
        <source>It takes {disk} of disk and about {minutes} min</source>
        <translation>Braucht {disk} auf der Platte und etwa {minutes} min</translation>
    </message>
    <message>
        <source>Another conversion is at work; this one waits for it</source>
        <translation>Eine andere Umwandlung läuft; diese wartet darauf</translation>
    </message>
    <message>
        <source>The model is there</source>
        <translation>Das Modell ist da</translation>
    </message>
    <message>
        <source>Reading the file</source>
        <translation>Die Datei wird gelesen</translation>
    </message>
    <message>
        <source>Starting the converter</source>
        <translation>Die Umwandlung wird gestartet</translation>
    </message>
    <message>
        <source>Expanding the weights</source>
        <translation>Die Gewichte werden ausgepackt</translation>
    </message>
    <message>
        <source>Writing safetensors</source>
        <translation>Safetensors werden geschrieben</translation>
    </message>
    <message>
        <source>Checking what was written</source>
        <translation>Das Geschriebene wird geprüft</translation>
    </message>
    <message>
        <source>{stage}: {percent} % in all, about {time} left</source>
        <translation>{stage}: insgesamt {percent} %, noch etwa {time}</translation>
    </message>
</context>
<context>
    <name>GpuCard</name>
    <message>
        <source>in</source>
        <translation>hinein</translation>
    </message>
    <message>
        <source>out</source>
        <translation>heraus</translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation>Auslastung</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>Takt</translation>
    </message>
    <message>
        <source>▲ The GPU no longer answers. What it was doing is lost; if it does not come back, restart the computer.</source>
        <translation>▲ Die GPU antwortet nicht mehr. Was sie gerade tat, ist verloren; kommt sie nicht wieder, starten Sie den Rechner neu.</translation>
    </message>
    <message>
        <source>▲ {text}</source>
        <translation>▲ {text}</translation>
    </message>
    <message>
        <source>compute capability {number}</source>
        <translation>Compute Capability {number}</translation>
    </message>
    <message>
        <source>{name}: {used} of {total}</source>
        <translation>{name}: {used} von {total}</translation>
    </message>
    <message>
        <source>Split into parts (MIG): {parts}.</source>
        <translation>In Teile geteilt (MIG): {parts}.</translation>
    </message>
    <message>
        <source>Split into parts (MIG).</source>
        <translation>In Teile geteilt (MIG).</translation>
    </message>
    <message>
        <source>Whether its clocks are held back is not told. {why}</source>
        <translation>Ob ihre Takte gedrosselt werden, wird nicht gemeldet. {why}</translation>
    </message>
    <message>
        <source>Which programs use its memory is not told. {why}</source>
        <translation>Welche Programme ihren Speicher nutzen, wird nicht gemeldet. {why}</translation>
    </message>
</context>
<context>
    <name>Hardware</name>
    <message>
        <source>There is no NVIDIA driver on this computer. The processor computes the answers.</source>
        <translation>Auf diesem Rechner ist kein NVIDIA-Treiber. Der Prozessor berechnet die Antworten.</translation>
    </message>
    <message>
        <source>The NVIDIA driver is installed but does not run. Restart the computer; if that does not help, install the driver again.</source>
        <translation>Der NVIDIA-Treiber ist installiert, läuft aber nicht. Starten Sie den Rechner neu; hilft das nicht, installieren Sie den Treiber noch einmal.</translation>
    </message>
    <message>
        <source>The NVIDIA driver runs but sees no GPU.</source>
        <translation>Der NVIDIA-Treiber läuft, sieht aber keine GPU.</translation>
    </message>
    <message>
        <source>The NVIDIA driver is too old: it runs CUDA up to {cuda}, and the engine needs {cuda_needed}. Update the driver to version {version} or newer.</source>
        <translation>Der NVIDIA-Treiber ist zu alt: Er kann CUDA bis {cuda}, die Engine braucht {cuda_needed}. Aktualisieren Sie ihn auf Version {version} oder neuer.</translation>
    </message>
    <message>
        <source>The NVIDIA driver has been updated and the old one still runs. Restart the computer.</source>
        <translation>Der NVIDIA-Treiber wurde aktualisiert, doch der alte läuft noch. Starten Sie den Rechner neu.</translation>
    </message>
    <message>
        <source>This user account may not use the GPU. Give it access to the files /dev/nvidia*.</source>
        <translation>Dieses Benutzerkonto darf die GPU nicht nutzen. Geben Sie ihm Zugriff auf die Dateien /dev/nvidia*.</translation>
    </message>
    <message>
        <source>The GPU no longer answers. Restart the computer; if it happens again, look at the GPU&apos;s power and cooling.</source>
        <translation>Die GPU antwortet nicht mehr. Starten Sie den Rechner neu; geschieht es wieder, prüfen Sie Stromversorgung und Kühlung der GPU.</translation>
    </message>
    <message>
        <source>The NVIDIA driver reports an error that it does not explain (number {code}). Restart the computer.</source>
        <translation>Der NVIDIA-Treiber meldet einen Fehler, den er nicht erklärt (Nummer {code}). Starten Sie den Rechner neu.</translation>
    </message>
    <message>
        <source>The part of Inglenook that reads GPUs is missing. Run ./packaging/run --repair.</source>
        <translation>Der Teil von Inglenook, der GPUs ausliest, fehlt. Führen Sie ./packaging/run --repair aus.</translation>
    </message>
    <message>
        <source>The NVIDIA driver is too old to be read. Update it to version {version} or newer.</source>
        <translation>Der NVIDIA-Treiber ist zu alt, um ausgelesen zu werden. Aktualisieren Sie ihn auf Version {version} oder neuer.</translation>
    </message>
    <message>
        <source>The NVIDIA driver of Windows cannot be reached from WSL. Run “wsl --shutdown” in Windows and start again.</source>
        <translation>Der NVIDIA-Treiber von Windows ist aus WSL nicht erreichbar. Führen Sie in Windows „wsl --shutdown“ aus und starten Sie neu.</translation>
    </message>
    <message>
        <source>The NVIDIA driver of Windows is too old: it runs CUDA up to {cuda}, and the engine needs {cuda_needed}. Update it to version {version} or newer in Windows, not in WSL.</source>
        <translation>Der NVIDIA-Treiber von Windows ist zu alt: Er kann CUDA bis {cuda}, die Engine braucht {cuda_needed}. Aktualisieren Sie ihn in Windows, nicht in WSL, auf Version {version} oder neuer.</translation>
    </message>
    <message>
        <source>WSL and the NVIDIA driver of Windows do not fit together. Run “wsl --update” in Windows, and install no NVIDIA driver in WSL.</source>
        <translation>WSL und der NVIDIA-Treiber von Windows passen nicht zusammen. Führen Sie in Windows „wsl --update“ aus und installieren Sie in WSL keinen NVIDIA-Treiber.</translation>
    </message>
    <message>
        <source>The GPU no longer answers. Run “wsl --shutdown” in Windows and start again.</source>
        <translation>Die GPU antwortet nicht mehr. Führen Sie in Windows „wsl --shutdown“ aus und starten Sie neu.</translation>
    </message>
    <message>
        <source>This GPU does not report it.</source>
        <translation>Diese GPU meldet es nicht.</translation>
    </message>
    <message>
        <source>Windows does not pass it on to WSL.</source>
        <translation>Windows gibt es nicht an WSL weiter.</translation>
    </message>
    <message>
        <source>A GPU that is split into parts (MIG) does not report it as a whole.</source>
        <translation>Eine in Teile geteilte GPU (MIG) meldet es nicht als Ganzes.</translation>
    </message>
    <message>
        <source>This GPU shares the computer&apos;s memory and has none of its own.</source>
        <translation>Diese GPU teilt den Speicher des Rechners und hat keinen eigenen.</translation>
    </message>
    <message>
        <source>The NVIDIA driver is too old to report it.</source>
        <translation>Der NVIDIA-Treiber ist zu alt, um es zu melden.</translation>
    </message>
    <message>
        <source>This user account may not read it.</source>
        <translation>Dieses Benutzerkonto darf es nicht lesen.</translation>
    </message>
    <message>
        <source>The GPU no longer answers.</source>
        <translation>Die GPU antwortet nicht mehr.</translation>
    </message>
    <message>
        <source>The NVIDIA driver answered with an error that it does not explain.</source>
        <translation>Der NVIDIA-Treiber antwortete mit einem Fehler, den er nicht erklärt.</translation>
    </message>
    <message>
        <source>It has not been read yet.</source>
        <translation>Es wurde noch nicht gelesen.</translation>
    </message>
    <message>
        <source>There is no NVIDIA driver that answers.</source>
        <translation>Kein NVIDIA-Treiber antwortet.</translation>
    </message>
    <message>
        <source>The system does not report it.</source>
        <translation>Das System meldet es nicht.</translation>
    </message>
    <message>
        <source>clocks set by a program</source>
        <translation>Takte von einem Programm gesetzt</translation>
    </message>
    <message>
        <source>power limit</source>
        <translation>Leistungsgrenze</translation>
    </message>
    <message>
        <source>hardware slowdown</source>
        <translation>Drosselung durch die Hardware</translation>
    </message>
    <message>
        <source>kept in step with another GPU</source>
        <translation>im Takt mit einer anderen GPU</translation>
    </message>
    <message>
        <source>too hot (driver)</source>
        <translation>zu heiß (Treiber)</translation>
    </message>
    <message>
        <source>too hot (hardware)</source>
        <translation>zu heiß (Hardware)</translation>
    </message>
    <message>
        <source>power supply</source>
        <translation>Stromversorgung</translation>
    </message>
    <message>
        <source>clocks of the display</source>
        <translation>Takte der Anzeige</translation>
    </message>
    <message>
        <source>limit of the board</source>
        <translation>Grenze der Karte</translation>
    </message>
    <message>
        <source>voltage limit</source>
        <translation>Spannungsgrenze</translation>
    </message>
    <message>
        <source>same board</source>
        <translation>dieselbe Karte</translation>
    </message>
    <message>
        <source>one PCIe switch</source>
        <translation>ein PCIe-Switch</translation>
    </message>
    <message>
        <source>several PCIe switches</source>
        <translation>mehrere PCIe-Switches</translation>
    </message>
    <message>
        <source>one host bridge</source>
        <translation>eine Host-Bridge</translation>
    </message>
    <message>
        <source>one processor</source>
        <translation>ein Prozessor</translation>
    </message>
    <message>
        <source>several processors</source>
        <translation>mehrere Prozessoren</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>not over this chipset</source>
        <translation>nicht über diesen Chipsatz</translation>
    </message>
    <message>
        <source>not with this GPU</source>
        <translation>nicht mit dieser GPU</translation>
    </message>
    <message>
        <source>not over this path</source>
        <translation>nicht über diesen Weg</translation>
    </message>
    <message>
        <source>switched off in the driver</source>
        <translation>im Treiber abgeschaltet</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
</context>
<context>
    <name>HardwareView</name>
    <message>
        <source>No NVIDIA GPU here: models run on the processor, in main memory.</source>
        <translation>Keine NVIDIA-GPU hier: Modelle laufen auf dem Prozessor, im Arbeitsspeicher.</translation>
    </message>
</context>
<context>
    <name>HelperProcess</name>
    <message>
        <source>it ended with code {code}</source>
        <translation>Ende mit Code {code}</translation>
    </message>
</context>
<context>
    <name>HitDelegate</name>
    <message>
        <source>Installed</source>
        <translation>Installiert</translation>
    </message>
</context>
<context>
    <name>HostCard</name>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>Swap</translation>
    </message>
    <message>
        <source>Processor and memory</source>
        <translation>Prozessor und Arbeitsspeicher</translation>
    </message>
    <message>
        <source>{cores} cores</source>
        <translation>{cores} Kerne</translation>
    </message>
    <message>
        <source>{cores} cores, {threads} threads</source>
        <translation>{cores} Kerne, {threads} Threads</translation>
    </message>
</context>
<context>
    <name>HubFaults</name>
    <message>
        <source>The library is offline</source>
        <translation>Die Bibliothek ist offline</translation>
    </message>
    <message>
        <source>The hub cannot be reached</source>
        <translation>Der Hub ist nicht erreichbar</translation>
    </message>
    <message>
        <source>The hub did not answer in time</source>
        <translation>Der Hub hat nicht rechtzeitig geantwortet</translation>
    </message>
    <message>
        <source>The proxy does not let us through</source>
        <translation>Der Proxy lässt uns nicht durch</translation>
    </message>
    <message>
        <source>The hub&apos;s certificate is not trusted</source>
        <translation>Dem Zertifikat des Hubs wird nicht vertraut</translation>
    </message>
    <message>
        <source>The hub asks who you are</source>
        <translation>Der Hub fragt, wer Sie sind</translation>
    </message>
    <message>
        <source>Its licence must be accepted first</source>
        <translation>Erst muss die Lizenz angenommen werden</translation>
    </message>
    <message>
        <source>Your request is waiting for its author</source>
        <translation>Ihre Anfrage wartet auf den Autor</translation>
    </message>
    <message>
        <source>There is no such model</source>
        <translation>Ein solches Modell gibt es nicht</translation>
    </message>
    <message>
        <source>The hub wants fewer requests</source>
        <translation>Der Hub will weniger Anfragen</translation>
    </message>
    <message>
        <source>The hub has a fault</source>
        <translation>Der Hub hat eine Störung</translation>
    </message>
    <message>
        <source>The hub&apos;s answer cannot be trusted</source>
        <translation>Der Antwort des Hubs ist nicht zu trauen</translation>
    </message>
    <message>
        <source>The hub was asked in vain</source>
        <translation>Der Hub wurde vergeblich gefragt</translation>
    </message>
    <message>
        <source>You switched the network off. The starter list and what is installed are there all the same; to search the hub, go online.</source>
        <translation>Sie haben das Netz abgeschaltet. Die Startliste und was installiert ist, sind trotzdem da; um im Hub zu suchen, gehen Sie online.</translation>
    </message>
    <message>
        <source>This version is not on the hub</source>
        <translation>Diese Fassung ist nicht im Hub</translation>
    </message>
    <message>
        <source>{repo} does not have the commit that our list names: its author may have replaced it. The newest one is perhaps there.</source>
        <translation>{repo} hat den Commit nicht, den unsere Liste nennt: Sein Autor hat ihn vielleicht ersetzt. Den neuesten gibt es womöglich.</translation>
    </message>
    <message>
        <source>It may be asked again in {count} s.</source>
        <translation>In {count} s darf er wieder gefragt werden.</translation>
    </message>
    <message>
        <source>It may be asked again in {count} minutes.</source>
        <translation>In {count} Minuten darf er wieder gefragt werden.</translation>
    </message>
    <message>
        <source>It may be asked again in {count} hours.</source>
        <translation>In {count} Stunden darf er wieder gefragt werden.</translation>
    </message>
    <message>
        <source>Go online</source>
        <translation>Online gehen</translation>
    </message>
    <message>
        <source>Sign in…</source>
        <translation>Anmelden…</translation>
    </message>
    <message>
        <source>Open its page…</source>
        <translation>Seine Seite öffnen…</translation>
    </message>
    <message>
        <source>Network settings…</source>
        <translation>Netzeinstellungen…</translation>
    </message>
    <message>
        <source>Show the newest version</source>
        <translation>Neueste Fassung zeigen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
</context>
<context>
    <name>HubLink</name>
    <message>
        <source>The program that asks the hub has ended unexpectedly. Try again.</source>
        <translation>Das Programm, das den Hub fragt, endete unerwartet. Versuchen Sie es noch einmal.</translation>
    </message>
</context>
<context>
    <name>HubWords</name>
    <message>
        <source>{count} context</source>
        <translation>{count} Kontext</translation>
    </message>
    <message>
        <source>{count} downloads</source>
        <translation>{count} Downloads</translation>
    </message>
    <message>
        <source>on request</source>
        <translation>auf Anfrage</translation>
    </message>
    <message>
        <source>licence to accept</source>
        <translation>Lizenz anzunehmen</translation>
    </message>
    <message>
        <source>Its own licence</source>
        <translation>Eigene Lizenz</translation>
    </message>
    <message>
        <source>{count} parameters</source>
        <translation>{count} Parameter</translation>
    </message>
    <message>
        <source>changed {day}</source>
        <translation>geändert {day}</translation>
    </message>
    <message>
        <source>1 build</source>
        <translation>1 Ausgabe</translation>
    </message>
    <message>
        <source>{count} builds</source>
        <translation>{count} Ausgaben</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>Passt</translation>
    </message>
    <message>
        <source>Fits on {count} GPUs</source>
        <translation>Passt auf {count} GPUs</translation>
    </message>
    <message>
        <source>Fits on two GPUs</source>
        <translation>Passt auf zwei GPUs</translation>
    </message>
    <message>
        <source>A build fits</source>
        <translation>Eine Ausgabe passt</translation>
    </message>
    <message>
        <source>Too big</source>
        <translation>Zu groß</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>Passt nicht</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Wird geprüft…</translation>
    </message>
    <message>
        <source>Cannot run here</source>
        <translation>Läuft hier nicht</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>Nicht bekannt</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} Token</translation>
    </message>
    <message>
        <source>{count} chats</source>
        <translation>{count} Chats</translation>
    </message>
    <message>
        <source>one chat</source>
        <translation>ein Chat</translation>
    </message>
    <message>
        <source>by {size}</source>
        <translation>um {size}</translation>
    </message>
    <message>
        <source>sign in to find out</source>
        <translation>anmelden, um es zu erfahren</translation>
    </message>
    <message>
        <source>accept its licence to find out</source>
        <translation>Lizenz annehmen, um es zu erfahren</translation>
    </message>
    <message>
        <source>its author has yet to let you in</source>
        <translation>der Autor muss Sie noch zulassen</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>Import chats</source>
        <translation>Chats importieren</translation>
    </message>
    <message>
        <source>A JSON file that Inglenook exported, or a ChatGPT export: the .zip as it was downloaded, or the conversations.json in it. Nothing is sent anywhere.</source>
        <translation>Eine JSON-Datei aus Inglenook oder ein ChatGPT-Export: die heruntergeladene .zip oder die conversations.json darin. Nichts wird irgendwohin gesendet.</translation>
    </message>
    <message>
        <source>Put them into the folder:</source>
        <translation>In diesen Ordner legen:</translation>
    </message>
    <message>
        <source>as in the file</source>
        <translation>wie in der Datei</translation>
    </message>
    <message>
        <source>Import chats that are here already as copies</source>
        <translation>Schon vorhandene Chats als Kopien importieren</translation>
    </message>
    <message>
        <source>Otherwise a chat with the title and the date of one here is passed over.</source>
        <translation>Sonst wird ein Chat mit Titel und Datum eines vorhandenen übergangen.</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>Datei wählen…</translation>
    </message>
    <message>
        <source>Chats (*.json *.zip)</source>
        <translation>Chats (*.json *.zip)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) imported so far</source>
        <translation>
            <numerusform>%n Chat bisher importiert</numerusform>
            <numerusform>%n Chats bisher importiert</numerusform>
        </translation>
    </message>
    <message>
        <source>Import a model</source>
        <translation>Modell importieren</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Stop importing</source>
        <translation>Import anhalten</translation>
    </message>
    <message>
        <source>Name in the library</source>
        <translation>Name in der Bibliothek</translation>
    </message>
    <message>
        <source>Copy it into the library</source>
        <translation>In die Bibliothek kopieren</translation>
    </message>
    <message>
        <source>Share its files with the library</source>
        <translation>Seine Dateien mit der Bibliothek teilen</translation>
    </message>
    <message>
        <source>Leave it there, and look into its folder</source>
        <translation>Dort lassen und in seinem Ordner nachsehen</translation>
    </message>
    <message>
        <source>Looking at {path}…</source>
        <translation>{path} wird durchgesehen…</translation>
    </message>
    <message>
        <source>Load it</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>The model is in the library</source>
        <translation>Das Modell ist in der Bibliothek</translation>
    </message>
    <message>
        <source>Every byte was read again and is like the original.</source>
        <translation>Jedes Byte wurde noch einmal gelesen und gleicht dem Original.</translation>
    </message>
    <message>
        <source>Takes disk once more. The original can go then.</source>
        <translation>Braucht noch einmal so viel Platz auf der Platte. Das Original kann dann weg.</translation>
    </message>
    <message>
        <source>Takes no disk. Whoever writes into the original&apos;s files changes the model, too.</source>
        <translation>Braucht keinen Platz auf der Platte. Wer in die Dateien des Originals schreibt, ändert auch das Modell.</translation>
    </message>
    <message>
        <source>Nothing is copied; all models in that folder are listed.</source>
        <translation>Nichts wird kopiert; alle Modelle in diesem Ordner werden aufgeführt.</translation>
    </message>
</context>
<context>
    <name>Inglenook</name>
    <message>
        <source>Today&apos;s backup of your chats could not be made. {reason}</source>
        <translation>Die heutige Sicherung Ihrer Chats ist nicht gelungen. {reason}</translation>
    </message>
</context>
<context>
    <name>Installed</name>
    <message numerus="yes">
        <source>used %n day(s) ago</source>
        <translation>
            <numerusform>vor %n Tag benutzt</numerusform>
            <numerusform>vor %n Tagen benutzt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n Modell</numerusform>
            <numerusform>%n Modelle</numerusform>
        </translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>Entladen</translation>
    </message>
    <message>
        <source>Load beside</source>
        <translation>Daneben laden</translation>
    </message>
    <message>
        <source>How it is loaded…</source>
        <translation>Wie es geladen wird…</translation>
    </message>
    <message>
        <source>Fetch what is missing</source>
        <translation>Fehlendes holen</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Stop verifying</source>
        <translation>Prüfung anhalten</translation>
    </message>
    <message>
        <source>Show in its folder</source>
        <translation>In seinem Ordner zeigen</translation>
    </message>
    <message>
        <source>Files and hashes…</source>
        <translation>Dateien und Prüfsummen…</translation>
    </message>
    <message>
        <source>Its page on the hub…</source>
        <translation>Seine Seite im Hub…</translation>
    </message>
    <message>
        <source>Quantise to 4 bits…</source>
        <translation>Auf 4 Bit quantisieren…</translation>
    </message>
    <message>
        <source>Convert to safetensors…</source>
        <translation>In Safetensors umwandeln…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Model library</source>
        <translation>Modellbibliothek</translation>
    </message>
    <message>
        <source>Downloaded</source>
        <translation>Heruntergeladen</translation>
    </message>
    <message>
        <source>Starter model</source>
        <translation>Startmodell</translation>
    </message>
    <message>
        <source>Converted here</source>
        <translation>Hier umgewandelt</translation>
    </message>
    <message>
        <source>Quantised here</source>
        <translation>Hier quantisiert</translation>
    </message>
    <message>
        <source>Hugging Face cache</source>
        <translation>Hugging-Face-Cache</translation>
    </message>
    <message>
        <source>Your folder</source>
        <translation>Ihr Ordner</translation>
    </message>
    <message>
        <source>not used yet</source>
        <translation>noch nicht benutzt</translation>
    </message>
    <message>
        <source>used today</source>
        <translation>heute benutzt</translation>
    </message>
    <message>
        <source>used yesterday</source>
        <translation>gestern benutzt</translation>
    </message>
    <message>
        <source>used on {day}</source>
        <translation>am {day} benutzt</translation>
    </message>
    <message>
        <source>Missing: {files}</source>
        <translation>Es fehlen: {files}</translation>
    </message>
    <message>
        <source>{files} and {count} more</source>
        <translation>{files} und {count} weitere</translation>
    </message>
    <message>
        <source>{shown} of {count} models</source>
        <translation>{shown} von {count} Modellen</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Wird gestartet</translation>
    </message>
    <message>
        <source>Checking what there is</source>
        <translation>Vorhandenes wird geprüft</translation>
    </message>
    <message>
        <source>Copying</source>
        <translation>Wird kopiert</translation>
    </message>
    <message>
        <source>Comparing every byte</source>
        <translation>Jedes Byte wird verglichen</translation>
    </message>
    <message>
        <source>Putting it in place</source>
        <translation>Wird an seinen Platz gebracht</translation>
    </message>
    <message>
        <source>Removing the old files</source>
        <translation>Die alten Dateien werden entfernt</translation>
    </message>
    <message>
        <source>Working</source>
        <translation>In Arbeit</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} von {total}</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>noch {time}</translation>
    </message>
    <message>
        <source>Waits to be verified</source>
        <translation>Wartet auf die Prüfung</translation>
    </message>
    <message>
        <source>Verifying: {percent} %</source>
        <translation>Wird geprüft: {percent} %</translation>
    </message>
    <message>
        <source>Being fetched</source>
        <translation>Wird geholt</translation>
    </message>
    <message>
        <source>Being fetched: {percent} %</source>
        <translation>Wird geholt: {percent} %</translation>
    </message>
    <message>
        <source>{model} is not whole.</source>
        <translation>{model} ist nicht vollständig.</translation>
    </message>
    <message>
        <source>{model} is whole.</source>
        <translation>{model} ist vollständig.</translation>
    </message>
    <message>
        <source>The work ended without a word: it was killed, or memory ran out. Nothing was lost; try again.</source>
        <translation>Die Arbeit endete ohne ein Wort: Sie wurde beendet, oder der Speicher ging aus. Nichts ging verloren; versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>and {count} more files</source>
        <translation>und {count} weitere Dateien</translation>
    </message>
</context>
<context>
    <name>InstalledDelegate</name>
    <message>
        <source>Cannot be loaded</source>
        <translation>Kann nicht geladen werden</translation>
    </message>
</context>
<context>
    <name>InstalledDesk</name>
    <message>
        <source>What is missing of {model} is being fetched.</source>
        <translation>Was von {model} fehlt, wird geholt.</translation>
    </message>
    <message>
        <source>Delete a model</source>
        <translation>Modell löschen</translation>
    </message>
    <message>
        <source>{model} is loaded.</source>
        <translation>{model} ist geladen.</translation>
    </message>
    <message>
        <source>It has to be unloaded before it can be deleted.</source>
        <translation>Es muss entladen werden, bevor es gelöscht werden kann.</translation>
    </message>
    <message>
        <source>Unload and delete</source>
        <translation>Entladen und löschen</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>Endgültig löschen</translation>
    </message>
    <message>
        <source>This cannot be undone. {size} become free.</source>
        <translation>Das lässt sich nicht rückgängig machen. {size} werden frei.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>{model} is in the bin. {size} become free when it is emptied.</source>
        <translation>{model} ist im Papierkorb. {size} werden frei, wenn er geleert wird.</translation>
    </message>
    <message>
        <source>{model} was deleted, and {size} are free.</source>
        <translation>{model} wurde gelöscht, {size} sind frei.</translation>
    </message>
    <message>
        <source>The model is back.</source>
        <translation>Das Modell ist wieder da.</translation>
    </message>
    <message>
        <source>{size} are free.</source>
        <translation>{size} sind frei.</translation>
    </message>
    <message>
        <source>The files of {model} as they were when it came.</source>
        <translation>Die Dateien von {model}, wie sie waren, als es kam.</translation>
    </message>
    <message>
        <source>Files and hashes</source>
        <translation>Dateien und Prüfsummen</translation>
    </message>
    <message>
        <source>The list of files of {model} cannot be read: {reason}</source>
        <translation>Die Dateiliste von {model} kann nicht gelesen werden: {reason}</translation>
    </message>
</context>
<context>
    <name>InstalledDetails</name>
    <message>
        <source>Progress of the verification</source>
        <translation>Fortschritt der Prüfung</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Not loaded</source>
        <translation>Nicht geladen</translation>
    </message>
    <message>
        <source>{state} · beside the window&apos;s model</source>
        <translation>{state} · neben dem Modell des Fensters</translation>
    </message>
    <message>
        <source>{action}: {model}</source>
        <translation>{action}: {model}</translation>
    </message>
    <message>
        <source>More to do with {model}</source>
        <translation>Mehr zu {model}</translation>
    </message>
    <message>
        <source>What to do with the model</source>
        <translation>Was mit dem Modell geschehen soll</translation>
    </message>
    <message>
        <source>{size}; the rest is shared</source>
        <translation>{size}; der Rest ist geteilt</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Deleting frees</source>
        <translation>Löschen gibt frei</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} Token</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architektur</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>Chatvorlage</translation>
    </message>
    <message>
        <source>Made from</source>
        <translation>Gemacht aus</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>Commit</source>
        <translation>Commit</translation>
    </message>
    <message>
        <source>Last used</source>
        <translation>Zuletzt benutzt</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
</context>
<context>
    <name>InstalledHead</name>
    <message>
        <source>Installed models</source>
        <translation>Installierte Modelle</translation>
    </message>
    <message>
        <source>Filter by name, format, licence…</source>
        <translation>Nach Name, Format, Lizenz filtern…</translation>
    </message>
    <message>
        <source>Filter the installed models</source>
        <translation>Die installierten Modelle filtern</translation>
    </message>
    <message>
        <source>Order of the models</source>
        <translation>Reihenfolge der Modelle</translation>
    </message>
    <message>
        <source>Last used first</source>
        <translation>Zuletzt benutzte zuerst</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>Nach Namen</translation>
    </message>
    <message>
        <source>Largest first</source>
        <translation>Größte zuerst</translation>
    </message>
    <message>
        <source>Longest context first</source>
        <translation>Längster Kontext zuerst</translation>
    </message>
    <message>
        <source>By format</source>
        <translation>Nach Format</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add models</source>
        <translation>Modelle hinzufügen</translation>
    </message>
    <message>
        <source>Find on the hub…</source>
        <translation>Im Hub finden…</translation>
    </message>
    <message>
        <source>Import a folder…</source>
        <translation>Ordner importieren…</translation>
    </message>
    <message>
        <source>Import a GGUF file…</source>
        <translation>GGUF-Datei importieren…</translation>
    </message>
    <message>
        <source>Look into another folder, too…</source>
        <translation>Auch in einem anderen Ordner nachsehen…</translation>
    </message>
    <message>
        <source>Move the models to another disk…</source>
        <translation>Modelle auf eine andere Platte verschieben…</translation>
    </message>
    <message>
        <source>Network and models…</source>
        <translation>Netz und Modelle…</translation>
    </message>
    <message>
        <source>Choose a GGUF file</source>
        <translation>GGUF-Datei wählen</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf *.GGUF)</source>
        <translation>GGUF-Modelle (*.gguf *.GGUF)</translation>
    </message>
</context>
<context>
    <name>InstalledPage</name>
    <message>
        <source>Looking for models…</source>
        <translation>Modelle werden gesucht…</translation>
    </message>
    <message>
        <source>No model is installed yet</source>
        <translation>Noch ist kein Modell installiert</translation>
    </message>
    <message>
        <source>Find one that fits this machine, or drop a model&apos;s folder or a .gguf file here.</source>
        <translation>Finden Sie eines, das auf diesen Rechner passt, oder ziehen Sie den Ordner eines Modells oder eine .gguf-Datei hierher.</translation>
    </message>
    <message>
        <source>Find a model…</source>
        <translation>Modell finden…</translation>
    </message>
    <message>
        <source>No installed model is like this</source>
        <translation>Kein installiertes Modell passt zum Filter</translation>
    </message>
    <message>
        <source>Names, formats, licences and places are searched.</source>
        <translation>Gesucht wird in Namen, Formaten, Lizenzen und Orten.</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) in the bin · {size}</source>
        <translation>
            <numerusform>%n Modell im Papierkorb · {size}</numerusform>
            <numerusform>%n Modelle im Papierkorb · {size}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InstalledView</name>
    <message>
        <source>Installed models</source>
        <translation>Installierte Modelle</translation>
    </message>
</context>
<context>
    <name>KvCanvas</name>
    <message>
        <source>Map of the KV blocks</source>
        <translation>Karte der KV-Blöcke</translation>
    </message>
    <message>
        <source>No model is loaded: there are no blocks</source>
        <translation>Kein Modell ist geladen: Es gibt keine Blöcke</translation>
    </message>
</context>
<context>
    <name>KvFigures</name>
    <message>
        <source>In use</source>
        <translation>Genutzt</translation>
    </message>
    <message>
        <source>of them shared</source>
        <translation>davon geteilt</translation>
    </message>
    <message>
        <source>Cached</source>
        <translation>Im Cache</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Frei</translation>
    </message>
    <message>
        <source>Held by answers that are being written, each block counted once.</source>
        <translation>Gehalten von Antworten, die gerade geschrieben werden, jeder Block einmal gezählt.</translation>
    </message>
    <message>
        <source>Nobody holds them, and nothing is in them.</source>
        <translation>Niemand hält sie, und nichts steht darin.</translation>
    </message>
    <message>
        <source>Held by more than one answer: the same beginning of a text, kept once.</source>
        <translation>Von mehr als einer Antwort gehalten: derselbe Anfang eines Textes, einmal aufbewahrt.</translation>
    </message>
    <message>
        <source>Nobody holds them, and what was read into them is still there: a text that begins alike need not be read again. They are given away when room is needed.</source>
        <translation>Niemand hält sie, und was in sie gelesen wurde, ist noch da: Ein Text, der gleich beginnt, muss nicht noch einmal gelesen werden. Sie werden vergeben, wenn Platz gebraucht wird.</translation>
    </message>
    <message>
        <source>The KV pool in figures</source>
        <translation>Der KV-Speicher in Zahlen</translation>
    </message>
</context>
<context>
    <name>KvLegend</name>
    <message>
        <source>Chats in the KV map</source>
        <translation>Chats in der KV-Karte</translation>
    </message>
    <message>
        <source>and {number} more</source>
        <translation>und {number} weitere</translation>
    </message>
    <message>
        <source>{chat}: {blocks} blocks</source>
        <translation>{chat}: {blocks} Blöcke</translation>
    </message>
    <message>
        <source>{chat}: only cached</source>
        <translation>{chat}: nur im Cache</translation>
    </message>
</context>
<context>
    <name>KvMap</name>
    <message>
        <source>Chat without a title</source>
        <translation>Chat ohne Titel</translation>
    </message>
    <message>
        <source>Inglenook itself</source>
        <translation>Inglenook selbst</translation>
    </message>
    <message>
        <source>{number} %</source>
        <translation>{number} %</translation>
    </message>
    <message>
        <source>1 cell = 1 block</source>
        <translation>1 Zelle = 1 Block</translation>
    </message>
    <message>
        <source>1 cell = {blocks} blocks</source>
        <translation>1 Zelle = {blocks} Blöcke</translation>
    </message>
    <message>
        <source>1 cell = 1 block of {tokens} tokens</source>
        <translation>1 Zelle = 1 Block zu {tokens} Token</translation>
    </message>
    <message>
        <source>1 cell = {blocks} blocks of {tokens} tokens</source>
        <translation>1 Zelle = {blocks} Blöcke zu {tokens} Token</translation>
    </message>
    <message>
        <source>A cell shows its busiest block</source>
        <translation>Eine Zelle zeigt ihren meistgenutzten Block</translation>
    </message>
    <message>
        <source>Point at a block to see whose it is</source>
        <translation>Auf einen Block zeigen, um zu sehen, wem er gehört</translation>
    </message>
    <message>
        <source>Block {number}</source>
        <translation>Block {number}</translation>
    </message>
    <message>
        <source>{block}: free</source>
        <translation>{block}: frei</translation>
    </message>
    <message>
        <source>{block}: cached for reuse, of a chat that is not known</source>
        <translation>{block}: im Cache, wiederverwendbar, von einem unbekannten Chat</translation>
    </message>
    <message>
        <source>{block}: cached for reuse, last of {chat}</source>
        <translation>{block}: im Cache, wiederverwendbar, zuletzt von {chat}</translation>
    </message>
    <message>
        <source>{block}: shared by {chats}</source>
        <translation>{block}: geteilt von {chats}</translation>
    </message>
    <message>
        <source>{block}: shared by several answers of {chat}</source>
        <translation>{block}: geteilt von mehreren Antworten von {chat}</translation>
    </message>
    <message>
        <source>{block}: {chat}</source>
        <translation>{block}: {chat}</translation>
    </message>
    <message>
        <source>Blocks {first} to {last}: {held} in use, {cached} cached, {free} free</source>
        <translation>Blöcke {first} bis {last}: {held} genutzt, {cached} im Cache, {free} frei</translation>
    </message>
    <message>
        <source>{number} more</source>
        <translation>{number} weitere</translation>
    </message>
    <message>
        <source>no token yet</source>
        <translation>noch kein Token</translation>
    </message>
    <message>
        <source>tokens {first} to {last} of {total}</source>
        <translation>Token {first} bis {last} von {total}</translation>
    </message>
    <message>
        <source>{total} blocks: {used} in use, {shared} of them shared, {cached} cached, {free} free</source>
        <translation>{total} Blöcke: {used} genutzt, davon {shared} geteilt, {cached} im Cache, {free} frei</translation>
    </message>
    <message>
        <source>Nothing is held, nothing is wasted</source>
        <translation>Nichts ist belegt, nichts verschwendet</translation>
    </message>
    <message>
        <source>{now} unused; one piece per chat would waste {before}</source>
        <translation>{now} ungenutzt; ein Stück je Chat würde {before} verschwenden</translation>
    </message>
    <message>
        <source>Blocks of {tokens} tokens are handed out as a text grows, so only the last block of a sequence has empty slots: at most {most} of them.</source>
        <translation>Blöcke zu {tokens} Token werden vergeben, während ein Text wächst; deshalb hat nur der letzte Block einer Sequenz leere Plätze: höchstens {most}.</translation>
    </message>
    <message>
        <source>Now {unused} of {slots} slots are empty, {each} a sequence.</source>
        <translation>Jetzt sind {unused} von {slots} Plätzen leer, {each} je Sequenz.</translation>
    </message>
    <message>
        <source>Without paging each sequence would get one piece of memory for the longest text it may become ({context}), whatever its length.</source>
        <translation>Ohne Paging bekäme jede Sequenz ein Stück Speicher für den längsten Text, der sie werden kann ({context}), wie lang sie auch ist.</translation>
    </message>
    <message>
        <source>{tokens} tokens here</source>
        <translation>hier {tokens} Token</translation>
    </message>
    <message>
        <source>the whole context</source>
        <translation>den ganzen Kontext</translation>
    </message>
    <message>
        <source>Both are shares of the KV memory in use, not of all the card&apos;s memory. The paper on PagedAttention (Kwon and others, SOSP 2023) measured 61.8 to 79.6 % before and 3.7 % with paging. The gain is room for more chats at once; a single chat is no faster.</source>
        <translation>Beides sind Anteile am genutzten KV-Speicher, nicht am ganzen Speicher der Karte. Die Arbeit zu PagedAttention (Kwon und andere, SOSP 2023) maß 61,8 bis 79,6 % vorher und 3,7 % mit Paging. Der Gewinn ist Platz für mehr Chats zugleich; ein einzelner Chat wird nicht schneller.</translation>
    </message>
</context>
<context>
    <name>KvMapView</name>
    <message>
        <source>Map</source>
        <translation>Karte</translation>
    </message>
    <message>
        <source>Every block as a cell</source>
        <translation>Jeder Block als Zelle</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>The same in tables, for keyboard and screen reader</source>
        <translation>Dasselbe in Tabellen, für Tastatur und Bildschirmleser</translation>
    </message>
</context>
<context>
    <name>LedgerModel</name>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>Neu zu lesen</translation>
    </message>
    <message>
        <source>Shared</source>
        <translation>Geteilt</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Warteplatz</translation>
    </message>
    <message>
        <source>Sent back</source>
        <translation>Zurückgestellt</translation>
    </message>
    <message>
        <source>Stop what the chat is doing</source>
        <translation>Anhalten, was der Chat gerade tut</translation>
    </message>
    <message>
        <source>The chat, with its number in the map</source>
        <translation>Der Chat mit seiner Nummer in der Karte</translation>
    </message>
    <message>
        <source>KV blocks that it holds</source>
        <translation>KV-Blöcke, die er hält</translation>
    </message>
    <message>
        <source>Tokens a second of its answers, over the last two seconds</source>
        <translation>Token je Sekunde seiner Antworten, über die letzten zwei Sekunden</translation>
    </message>
    <message>
        <source>What it is at</source>
        <translation>Womit er beschäftigt ist</translation>
    </message>
    <message>
        <source>Tokens of its prompt and answer together</source>
        <translation>Token seines Prompts und seiner Antwort zusammen</translation>
    </message>
    <message>
        <source>Tokens of it that are in no full block: its next reply must read them again, and what is new</source>
        <translation>Seine Token, die in keinem vollen Block stehen: Seine nächste Antwort muss sie noch einmal lesen, dazu das Neue</translation>
    </message>
    <message>
        <source>The share of its blocks that others hold, too</source>
        <translation>Der Anteil seiner Blöcke, die auch andere halten</translation>
    </message>
    <message>
        <source>Its place in the queue</source>
        <translation>Sein Platz in der Reihe</translation>
    </message>
    <message>
        <source>How often it was sent back to the queue because blocks ran out; what it had read is computed again</source>
        <translation>Wie oft er in die Reihe zurückgestellt wurde, weil die Blöcke ausgingen; was er gelesen hatte, wird noch einmal berechnet</translation>
    </message>
    <message>
        <source>over, {state}</source>
        <translation>beendet, {state}</translation>
    </message>
    <message>
        <source>answers</source>
        <translation>antwortet</translation>
    </message>
    <message>
        <source>reads its prompt</source>
        <translation>liest seinen Prompt</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>sent back, waits</source>
        <translation>zurückgestellt, wartet</translation>
    </message>
    <message>
        <source>none cached</source>
        <translation>nichts im Cache</translation>
    </message>
    <message>
        <source>{found} cached</source>
        <translation>{found} im Cache</translation>
    </message>
    <message>
        <source>Stop {chat}</source>
        <translation>{chat} anhalten</translation>
    </message>
    <message>
        <source>Its answer is over. {found} of its {all} tokens would be found in the cache, if it went on now.</source>
        <translation>Seine Antwort ist zu Ende. Von seinen {all} Token fänden sich {found} im Cache, wenn es jetzt weiterginge.</translation>
    </message>
</context>
<context>
    <name>LedgerView</name>
    <message>
        <source>Ledger of the chats in the KV cache</source>
        <translation>Liste der Chats im KV-Cache</translation>
    </message>
    <message>
        <source>sent back, waits</source>
        <translation>zurückgestellt, wartet</translation>
    </message>
    <message>
        <source>No chat has anything in the KV cache</source>
        <translation>Kein Chat hat etwas im KV-Cache</translation>
    </message>
    <message>
        <source>Go to the chat</source>
        <translation>Zum Chat</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
</context>
<context>
    <name>Library</name>
    <message>
        <source>Inglenook is offline</source>
        <translation>Inglenook ist offline</translation>
    </message>
    <message>
        <source>You have switched the network off.</source>
        <translation>Sie haben das Netz abgeschaltet.</translation>
    </message>
    <message>
        <source>{name} comes from the hub.</source>
        <translation>{name} kommt aus dem Hub.</translation>
    </message>
    <message>
        <source>Go online and fetch it</source>
        <translation>Online gehen und holen</translation>
    </message>
    <message numerus="yes">
        <source>%n download(s) go on where they were.</source>
        <translation>
            <numerusform>%n Download geht weiter, wo er stand.</numerusform>
            <numerusform>%n Downloads gehen weiter, wo sie standen.</numerusform>
        </translation>
    </message>
    <message>
        <source>{name} is installed.</source>
        <translation>{name} ist installiert.</translation>
    </message>
    <message>
        <source>Load it…</source>
        <translation>Laden…</translation>
    </message>
    <message>
        <source>Show the downloads. If you close Inglenook they go on at the next start.</source>
        <translation>Downloads zeigen. Wenn Sie Inglenook schließen, gehen sie beim nächsten Start weiter.</translation>
    </message>
</context>
<context>
    <name>LibraryWindow</name>
    <message>
        <source>Model library</source>
        <translation>Modellbibliothek</translation>
    </message>
    <message>
        <source>Pages of the model library</source>
        <translation>Seiten der Modellbibliothek</translation>
    </message>
    <message>
        <source>Discover</source>
        <translation>Entdecken</translation>
    </message>
    <message>
        <source>Installed</source>
        <translation>Installiert</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>Downloads</translation>
    </message>
</context>
<context>
    <name>LinkDialog</name>
    <message>
        <source>Open a link</source>
        <translation>Link öffnen</translation>
    </message>
    <message>
        <source>Open a page of {host} in your browser?</source>
        <translation>Eine Seite von {host} im Browser öffnen?</translation>
    </message>
    <message>
        <source>Open in the browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
    <message>
        <source>Only web addresses (http, https) are opened. This one is not:</source>
        <translation>Nur Webadressen (http, https) werden geöffnet. Diese ist keine:</translation>
    </message>
    <message>
        <source>“{user}” is only a user name here: the page is one of {host}.</source>
        <translation>„{user}“ ist hier nur ein Benutzername: Die Seite gehört zu {host}.</translation>
    </message>
    <message>
        <source>The name is written in other letters ({name}), which may look like those of a name you know.</source>
        <translation>Der Name ist in anderen Buchstaben geschrieben ({name}), die wie die eines bekannten Namens aussehen können.</translation>
    </message>
    <message>
        <source>It leads to this computer or to your own network.</source>
        <translation>Sie führt zu diesem Rechner oder in Ihr eigenes Netz.</translation>
    </message>
</context>
<context>
    <name>LoadDialog</name>
    <message>
        <source>Load a model</source>
        <translation>Modell laden</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Load beside</source>
        <translation>Daneben laden</translation>
    </message>
    <message>
        <source>What is loaded now stays, and answers too.</source>
        <translation>Was jetzt geladen ist, bleibt und antwortet ebenfalls.</translation>
    </message>
    <message>
        <source>Reset to automatic</source>
        <translation>Zurück zu automatisch</translation>
    </message>
    <message>
        <source>Choose another…</source>
        <translation>Anderes wählen…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Load anyway</source>
        <translation>Trotzdem laden</translation>
    </message>
    <message>
        <source>This cannot be planned ({reason}). The engine can be asked all the same.</source>
        <translation>Das lässt sich nicht planen ({reason}). Die Engine kann es trotzdem versuchen.</translation>
    </message>
</context>
<context>
    <name>LoadFields</name>
    <message>
        <source>Write a whole number, such as 8192.</source>
        <translation>Schreiben Sie eine ganze Zahl, etwa 8192.</translation>
    </message>
    <message>
        <source>Write a number, such as {example}.</source>
        <translation>Schreiben Sie eine Zahl, etwa {example}.</translation>
    </message>
    <message>
        <source>From {low} to {high}.</source>
        <translation>Von {low} bis {high}.</translation>
    </message>
</context>
<context>
    <name>LoadFigures</name>
    <message>
        <source>All together</source>
        <translation>Alles zusammen</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
    <message>
        <source>as planned</source>
        <translation>wie geplant</translation>
    </message>
    <message>
        <source>{sign}{percent} %</source>
        <translation>{sign}{percent} %</translation>
    </message>
    <message>
        <source>It was loaded without a plan; the next one can be planned.</source>
        <translation>Es wurde ohne Plan geladen; das nächste Laden lässt sich planen.</translation>
    </message>
    <message>
        <source>The engine did not tell what it takes beside weights and chats.</source>
        <translation>Die Engine hat nicht gemeldet, was sie neben Gewichten und Chats braucht.</translation>
    </message>
    <message>
        <source>It needed no more memory than planned. The next plan stays as it is.</source>
        <translation>Es brauchte nicht mehr Speicher als geplant. Der nächste Plan bleibt, wie er ist.</translation>
    </message>
    <message>
        <source>It needed as much memory as planned. The next plan stays as it is.</source>
        <translation>Es brauchte so viel Speicher wie geplant. Der nächste Plan bleibt, wie er ist.</translation>
    </message>
    <message>
        <source>Learned: beside weights and chats, this model takes {size} here. The next plan reckons with that.</source>
        <translation>Gelernt: Neben Gewichten und Chats braucht dieses Modell hier {size}. Der nächste Plan rechnet damit.</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Computes in</source>
        <translation>Rechnet in</translation>
    </message>
    <message>
        <source>Quantisation</source>
        <translation>Quantisierung</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Planned</source>
        <translation>Geplant</translation>
    </message>
    <message>
        <source>Reported</source>
        <translation>Gemeldet</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>Usually</source>
        <translation>Sonst</translation>
    </message>
    <message>
        <source>This time</source>
        <translation>Diesmal</translation>
    </message>
    <message>
        <source>Context (tokens)</source>
        <translation>Kontext (Token)</translation>
    </message>
    <message>
        <source>Room for chats (tokens)</source>
        <translation>Platz für Chats (Token)</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Memory for chats (KV cache)</source>
        <translation>Speicher für Chats (KV-Cache)</translation>
    </message>
    <message>
        <source>Working memory</source>
        <translation>Speicher zum Rechnen</translation>
    </message>
</context>
<context>
    <name>LoadForm</name>
    <message>
        <source>Choose at least one GPU.</source>
        <translation>Wählen Sie mindestens eine GPU.</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>Those that may hold the model.</source>
        <translation>Die das Modell halten dürfen.</translation>
    </message>
    <message>
        <source>Tensor parallel</source>
        <translation>Tensorparallel</translation>
    </message>
    <message>
        <source>How many GPUs hold and compute the model together.</source>
        <translation>Wie viele GPUs das Modell gemeinsam halten und berechnen.</translation>
    </message>
    <message>
        <source>Context, in steps</source>
        <translation>Kontext, in Stufen</translation>
    </message>
    <message>
        <source>Context (tokens)</source>
        <translation>Kontext (Token)</translation>
    </message>
    <message>
        <source>The longest that one chat with its answer can be.</source>
        <translation>So lang kann ein Chat mit seiner Antwort höchstens werden.</translation>
    </message>
    <message>
        <source>Answers at once</source>
        <translation>Antworten zugleich</translation>
    </message>
    <message>
        <source>The most that are written together; further ones wait for their turn.</source>
        <translation>So viele werden höchstens zusammen geschrieben; weitere warten, bis sie an der Reihe sind.</translation>
    </message>
    <message>
        <source>Share of GPU memory (%)</source>
        <translation>Anteil am GPU-Speicher (%)</translation>
    </message>
    <message>
        <source>What the engine may use of each GPU; the rest stays for other programs.</source>
        <translation>Was die Engine von jeder GPU nutzen darf; der Rest bleibt anderen Programmen.</translation>
    </message>
    <message>
        <source>Memory for chats (GiB)</source>
        <translation>Speicher für Chats (GiB)</translation>
    </message>
    <message>
        <source>Precision of chats in memory</source>
        <translation>Genauigkeit der Chats im Speicher</translation>
    </message>
    <message>
        <source>8 bits hold twice the tokens, a little less exactly.</source>
        <translation>8 Bit fassen doppelt so viele Token, etwas weniger genau.</translation>
    </message>
    <message>
        <source>Computes in</source>
        <translation>Rechnet in</translation>
    </message>
    <message>
        <source>16 bits take half the memory of 32; not every processor is fast in them.</source>
        <translation>16 Bit brauchen halb so viel Speicher wie 32; nicht jeder Prozessor rechnet darin schnell.</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Graphs answer faster and take longer to load, and some memory.</source>
        <translation>Graphen antworten schneller, laden länger und brauchen etwas Speicher.</translation>
    </message>
    <message>
        <source>Weights kept in RAM (GiB)</source>
        <translation>Gewichte im RAM (GiB)</translation>
    </message>
    <message>
        <source>For each GPU. What lies in RAM is fetched for every token: far slower.</source>
        <translation>Je GPU. Was im RAM liegt, wird für jedes Token geholt: viel langsamer.</translation>
    </message>
    <message>
        <source>The chat in front goes first</source>
        <translation>Der Chat im Vordergrund zuerst</translation>
    </message>
    <message>
        <source>Off: first come, first served.</source>
        <translation>Aus: der Reihe nach.</translation>
    </message>
    <message>
        <source>{number}: {name}, {size}</source>
        <translation>{number}: {name}, {size}</translation>
    </message>
    <message>
        <source>as the model</source>
        <translation>wie das Modell</translation>
    </message>
    <message>
        <source>As the model computes</source>
        <translation>Wie das Modell rechnet</translation>
    </message>
    <message>
        <source>fast start, eager</source>
        <translation>schneller Start, eager</translation>
    </message>
    <message>
        <source>graphs</source>
        <translation>Graphen</translation>
    </message>
    <message>
        <source>Graphs: answers faster</source>
        <translation>Graphen: antwortet schneller</translation>
    </message>
    <message>
        <source>Fast start (eager)</source>
        <translation>Schneller Start (eager)</translation>
    </message>
    <message>
        <source>On each GPU. Set, it counts instead of the share above.</source>
        <translation>Auf jeder GPU. Ist er gesetzt, gilt er statt des Anteils oben.</translation>
    </message>
    <message>
        <source>Of the computer&apos;s RAM. The more, the longer and the more chats it holds.</source>
        <translation>Vom RAM des Rechners. Je mehr, desto mehr und längere Chats haben Platz.</translation>
    </message>
    <message>
        <source>8 bits — this processor cannot (no AVX-512)</source>
        <translation>8 Bit – kann dieser Prozessor nicht (kein AVX-512)</translation>
    </message>
    <message>
        <source>8 bits (FP8)</source>
        <translation>8 Bit (FP8)</translation>
    </message>
    <message>
        <source>Back to automatic</source>
        <translation>Zurück zu automatisch</translation>
    </message>
    <message>
        <source>{name}: back to automatic</source>
        <translation>{name}: zurück zu automatisch</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Automatic ({value})</source>
        <translation>Automatisch ({value})</translation>
    </message>
</context>
<context>
    <name>LoadPlanner</name>
    <message>
        <source>the disk or the GPU driver does not answer</source>
        <translation>die Festplatte oder der GPU-Treiber antwortet nicht</translation>
    </message>
</context>
<context>
    <name>LoadReport</name>
    <message>
        <source>About this load</source>
        <translation>Über diesen Ladevorgang</translation>
    </message>
    <message>
        <source>Plan and report</source>
        <translation>Plan und Bericht</translation>
    </message>
    <message>
        <source>Time of each stage</source>
        <translation>Dauer jedes Schritts</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>Als Text kopieren</translation>
    </message>
</context>
<context>
    <name>LoadSummary</name>
    <message>
        <source>Try one against two…</source>
        <translation>Eine gegen zwei testen…</translation>
    </message>
    <message>
        <source>Measures this model on one GPU and on two, and keeps the faster way.</source>
        <translation>Misst dieses Modell auf einer GPU und auf zweien und behält den schnelleren Weg.</translation>
    </message>
    <message>
        <source>Reading the model and the hardware…</source>
        <translation>Modell und Hardware werden gelesen…</translation>
    </message>
</context>
<context>
    <name>LoadTimes</name>
    <message>
        <source>longer than usual</source>
        <translation>länger als sonst</translation>
    </message>
    <message>
        <source>a moment left</source>
        <translation>noch ein Moment</translation>
    </message>
    <message>
        <source>about {minutes} min left</source>
        <translation>noch etwa {minutes} min</translation>
    </message>
    <message>
        <source>about {seconds} s left</source>
        <translation>noch etwa {seconds} s</translation>
    </message>
    <message>
        <source>usually {minutes} min</source>
        <translation>sonst {minutes} min</translation>
    </message>
    <message>
        <source>usually {seconds} s</source>
        <translation>sonst {seconds} s</translation>
    </message>
</context>
<context>
    <name>LoadWords</name>
    <message>
        <source>{format}, {bits} bits</source>
        <translation>{format}, {bits} Bit</translation>
    </message>
    <message>
        <source>{size} of weights</source>
        <translation>{size} Gewichte</translation>
    </message>
    <message>
        <source>reads {count} tokens</source>
        <translation>liest {count} Token</translation>
    </message>
    <message>
        <source>{free} of {total} RAM free</source>
        <translation>{free} von {total} RAM frei</translation>
    </message>
    <message>
        <source>{count} cores</source>
        <translation>{count} Kerne</translation>
    </message>
    <message>
        <source>one core</source>
        <translation>ein Kern</translation>
    </message>
    <message>
        <source>No GPU: the model runs on the processor ({cores}, {ram}).</source>
        <translation>Keine GPU: Das Modell läuft auf dem Prozessor ({cores}, {ram}).</translation>
    </message>
    <message>
        <source>Fits: {context} tokens of context, with room for {chats} such chats.</source>
        <translation>Passt: {context} Token Kontext, mit Platz für {chats} solche Chats.</translation>
    </message>
    <message>
        <source>Fits: {context} tokens of context, with room for one such chat.</source>
        <translation>Passt: {context} Token Kontext, mit Platz für einen solchen Chat.</translation>
    </message>
    <message>
        <source>Too big by {size} on {device}.</source>
        <translation>Um {size} zu groß auf {device}.</translation>
    </message>
    <message>
        <source>Too big by {size}.</source>
        <translation>Um {size} zu groß.</translation>
    </message>
    <message>
        <source>Does not fit with this context: {count} tokens would.</source>
        <translation>Passt mit diesem Kontext nicht: {count} Token gingen.</translation>
    </message>
    <message>
        <source>Does not fit like this.</source>
        <translation>Passt so nicht.</translation>
    </message>
    <message>
        <source>One answer runs at {rate} tokens/s at most.</source>
        <translation>Eine Antwort läuft mit höchstens {rate} Token/s.</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>RAM</translation>
    </message>
    <message>
        <source>GPU {number} · {name}</source>
        <translation>GPU {number} · {name}</translation>
    </message>
    <message>
        <source>{context} tokens of context</source>
        <translation>{context} Token Kontext</translation>
    </message>
    <message>
        <source>1 GPU</source>
        <translation>1 GPU</translation>
    </message>
    <message>
        <source>{count} GPUs</source>
        <translation>{count} GPUs</translation>
    </message>
    <message>
        <source>only {count} chosen</source>
        <translation>nur {count} gewählt</translation>
    </message>
    <message>
        <source>its {count} heads do not divide</source>
        <translation>seine {count} Köpfe sind nicht teilbar</translation>
    </message>
    <message>
        <source>groups of weights would be split</source>
        <translation>Gruppen von Gewichten würden zerteilt</translation>
    </message>
</context>
<context>
    <name>MachineDialog</name>
    <message>
        <source>Check this machine</source>
        <translation>Diesen Rechner prüfen</translation>
    </message>
    <message>
        <source>Looking at this machine and at what is installed…</source>
        <translation>Der Rechner und das Installierte werden geprüft…</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>Alles kopieren</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>gut</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>The check ended before all was looked at.</source>
        <translation>Die Prüfung endete, bevor alles angesehen war.</translation>
    </message>
    <message>
        <source>{count} problems were found.</source>
        <translation>{count} Probleme gefunden.</translation>
    </message>
    <message>
        <source>One problem was found.</source>
        <translation>Ein Problem gefunden.</translation>
    </message>
    <message>
        <source>It works; the warnings say what could be better.</source>
        <translation>Es läuft; die Warnungen sagen, was besser sein könnte.</translation>
    </message>
    <message>
        <source>All is well.</source>
        <translation>Alles in Ordnung.</translation>
    </message>
    <message>
        <source>Fine</source>
        <translation>Gut</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Not looked at</source>
        <translation>Nicht geprüft</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Something went wrong</source>
        <translation>Etwas ist schiefgegangen</translation>
    </message>
    <message>
        <source>Inglenook met a fault of its own and goes on: {summary}
Your chats are saved. If it comes back, copy this for a report.</source>
        <translation>Inglenook ist auf einen eigenen Fehler gestoßen und läuft weiter: {summary}
Ihre Chats sind gesichert. Tritt er wieder auf, kopieren Sie dies für einen Bericht.</translation>
    </message>
    <message>
        <source>{reason} Until then nothing is sent; what you write here is kept.</source>
        <translation>{reason} Bis dahin wird nichts gesendet; was Sie hier schreiben, bleibt erhalten.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
</context>
<context>
    <name>MemoryBars</name>
    <message>
        <source>Other programs</source>
        <translation>Andere Programme</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Working memory</source>
        <translation>Speicher zum Rechnen</translation>
    </message>
    <message>
        <source>Memory for chats (KV cache)</source>
        <translation>Speicher für Chats (KV-Cache)</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Frei</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>Fehlt</translation>
    </message>
</context>
<context>
    <name>MemoryStrip</name>
    <message>
        <source>Memory of {total}: {parts}</source>
        <translation>Speicher, {total}: {parts}</translation>
    </message>
    <message>
        <source>{part}, {model}</source>
        <translation>{part}, {model}</translation>
    </message>
    <message>
        <source>{name}: {size}, {share} of the memory</source>
        <translation>{name}: {size}, {share} des Speichers</translation>
    </message>
</context>
<context>
    <name>Mending</name>
    <message>
        <source>Choose a chat template</source>
        <translation>Eine Chatvorlage wählen</translation>
    </message>
    <message>
        <source>Chat templates (*.jinja *.j2)</source>
        <translation>Chatvorlagen (*.jinja *.j2)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Choose the folder of a model with this tokenizer</source>
        <translation>Den Ordner eines Modells mit diesem Tokenizer wählen</translation>
    </message>
</context>
<context>
    <name>MessageActions</name>
    <message>
        <source>Copy what there is so far</source>
        <translation>Bisheriges kopieren</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten…</translation>
    </message>
    <message>
        <source>Answer once more</source>
        <translation>Noch einmal antworten</translation>
    </message>
    <message>
        <source>Answer this message</source>
        <translation>Diese Nachricht beantworten</translation>
    </message>
    <message>
        <source>Go on from here in a new tab</source>
        <translation>Von hier in einem neuen Tab weiter</translation>
    </message>
    <message>
        <source>Several answers side by side</source>
        <translation>Mehrere Antworten nebeneinander</translation>
    </message>
    <message>
        <source>{count} answers</source>
        <translation>{count} Antworten</translation>
    </message>
    <message>
        <source>Answer again with another model…</source>
        <translation>Noch einmal mit anderem Modell antworten…</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Let it go on writing</source>
        <translation>Weiterschreiben lassen</translation>
    </message>
</context>
<context>
    <name>MessageDetails</name>
    <message>
        <source>Details of this answer</source>
        <translation>Details dieser Antwort</translation>
    </message>
    <message>
        <source>Copy as run card</source>
        <translation>Als Laufkarte kopieren</translation>
    </message>
    <message>
        <source>All that it takes to make this answer again, as Markdown</source>
        <translation>Alles, was es braucht, um diese Antwort zu wiederholen, als Markdown</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>Quantisierung</translation>
    </message>
    <message>
        <source>Number format</source>
        <translation>Zahlenformat</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>Chatvorlage</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>{tokens}, {cached} of them from the cache</source>
        <translation>{tokens}, davon {cached} aus dem Cache</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Older messages not read</source>
        <translation>Ältere nicht gelesen</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>{rate} tokens/s</source>
        <translation>{rate} Token/s</translation>
    </message>
    <message>
        <source>First token after</source>
        <translation>Erstes Token nach</translation>
    </message>
    <message>
        <source>Thought for</source>
        <translation>Nachgedacht</translation>
    </message>
    <message>
        <source>All of it took</source>
        <translation>Alles zusammen</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} Token</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>random</source>
        <translation>zufällig</translation>
    </message>
</context>
<context>
    <name>MessageFooter</name>
    <message>
        <source>Waiting for its turn</source>
        <translation>Wartet, bis sie dran ist</translation>
    </message>
    <message>
        <source>Reading the prompt</source>
        <translation>Liest den Prompt</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Schreibt</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Interrupted before it was complete</source>
        <translation>Unterbrochen, bevor sie fertig war</translation>
    </message>
    <message>
        <source>This answer failed. Try again.</source>
        <translation>Diese Antwort ist misslungen. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Ended at the length limit</source>
        <translation>An der Längengrenze beendet</translation>
    </message>
    <message>
        <source>Ended: the context is full</source>
        <translation>Beendet: Der Kontext ist voll</translation>
    </message>
    <message>
        <source>Ended at the stop string “{stop}”</source>
        <translation>Beim Stopptext „{stop}“ beendet</translation>
    </message>
    <message>
        <source>1 older message not read by the model</source>
        <translation>1 ältere Nachricht las das Modell nicht</translation>
    </message>
    <message>
        <source>{count} older messages not read by the model</source>
        <translation>{count} ältere Nachrichten las das Modell nicht</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} Token</translation>
    </message>
    <message>
        <source>{rate} tokens/s</source>
        <translation>{rate} Token/s</translation>
    </message>
    <message>
        <source>first token {wait} s</source>
        <translation>erstes Token {wait} s</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Copy this answer</source>
        <translation>Diese Antwort kopieren</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>MessageFrame</name>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>{speaker}: {text}</source>
        <translation>{speaker}: {text}</translation>
    </message>
</context>
<context>
    <name>MessageToolbar</name>
    <message>
        <source>More to do with this message</source>
        <translation>Mehr zu dieser Nachricht</translation>
    </message>
</context>
<context>
    <name>Meter</name>
    <message>
        <source>{title}: {value}</source>
        <translation>{title}: {value}</translation>
    </message>
</context>
<context>
    <name>MeterView</name>
    <message>
        <source>What the model reads with your next message, of what it can read at once</source>
        <translation>Was das Modell mit Ihrer nächsten Nachricht liest, von dem, was es auf einmal lesen kann</translation>
    </message>
</context>
<context>
    <name>ModelActions</name>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Which of its builds</source>
        <translation>Welche seiner Ausgaben</translation>
    </message>
    <message>
        <source>Licence…</source>
        <translation>Lizenz…</translation>
    </message>
    <message>
        <source>Show the download</source>
        <translation>Download zeigen</translation>
    </message>
    <message>
        <source>Download · {size}</source>
        <translation>Herunterladen · {size}</translation>
    </message>
    <message>
        <source>Download again · {size}</source>
        <translation>Noch einmal herunterladen · {size}</translation>
    </message>
    <message>
        <source>Fetch what is missing</source>
        <translation>Fehlendes holen</translation>
    </message>
    <message>
        <source>The disk has {free} free, of which {reserve} stay free: {size} too little</source>
        <translation>Auf der Platte sind {free} frei, davon bleiben {reserve} frei: {size} zu wenig</translation>
    </message>
    <message>
        <source>{size} free on the disk</source>
        <translation>{size} frei auf der Platte</translation>
    </message>
    <message>
        <source>Installed, but not whole</source>
        <translation>Installiert, aber nicht vollständig</translation>
    </message>
    <message>
        <source>Another version is installed</source>
        <translation>Eine andere Fassung ist installiert</translation>
    </message>
    <message>
        <source>Installed</source>
        <translation>Installiert</translation>
    </message>
    <message>
        <source>{count} of {all} files</source>
        <translation>{count} von {all} Dateien</translation>
    </message>
</context>
<context>
    <name>ModelBinDialog</name>
    <message>
        <source>Deleted models</source>
        <translation>Gelöschte Modelle</translation>
    </message>
    <message>
        <source>Put back</source>
        <translation>Zurücklegen</translation>
    </message>
    <message>
        <source>Delete for good…</source>
        <translation>Endgültig löschen…</translation>
    </message>
    <message>
        <source>Empty the bin…</source>
        <translation>Papierkorb leeren…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>{size} · deleted on {day}</source>
        <translation>{size} · gelöscht am {day}</translation>
    </message>
    <message>
        <source>They can be put back until the bin is emptied, which frees {size}.</source>
        <translation>Sie lassen sich zurücklegen, bis der Papierkorb geleert wird; das gibt {size} frei.</translation>
    </message>
    <message>
        <source>The bin is empty.</source>
        <translation>Der Papierkorb ist leer.</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n model(s) for good?</source>
        <translation>
            <numerusform>%n Modell endgültig löschen?</numerusform>
            <numerusform>%n Modelle endgültig löschen?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete all %n model(s) in the bin for good?</source>
        <translation>
            <numerusform>Das Modell im Papierkorb (%n) endgültig löschen?</numerusform>
            <numerusform>Alle %n Modelle im Papierkorb endgültig löschen?</numerusform>
        </translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>Endgültig löschen</translation>
    </message>
    <message>
        <source>This cannot be undone. {size} become free.</source>
        <translation>Das lässt sich nicht rückgängig machen. {size} werden frei.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
</context>
<context>
    <name>ModelButton</name>
    <message>
        <source>no model</source>
        <translation>kein Modell</translation>
    </message>
    <message>
        <source>Model of this chat: {name}, {state}</source>
        <translation>Modell dieses Chats: {name}, {state}</translation>
    </message>
    <message>
        <source>This chat has a model of its own.</source>
        <translation>Dieser Chat hat ein eigenes Modell.</translation>
    </message>
    <message>
        <source>This chat follows the window&apos;s model.</source>
        <translation>Dieser Chat folgt dem Modell des Fensters.</translation>
    </message>
    <message>
        <source>not loaded</source>
        <translation>nicht geladen</translation>
    </message>
</context>
<context>
    <name>ModelChooser</name>
    <message>
        <source>Choose the folder of a model</source>
        <translation>Ordner eines Modells wählen</translation>
    </message>
    <message>
        <source>Choose a GGUF file</source>
        <translation>GGUF-Datei wählen</translation>
    </message>
    <message>
        <source>Models in one file (*.gguf *.GGUF)</source>
        <translation>Modelle in einer Datei (*.gguf *.GGUF)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Modell wählen</translation>
    </message>
    <message>
        <source>{folder} holds several models. Which one is to be loaded?</source>
        <translation>{folder} enthält mehrere Modelle. Welches soll geladen werden?</translation>
    </message>
</context>
<context>
    <name>ModelDrop</name>
    <message>
        <source>Load it from there…</source>
        <translation>Von dort laden…</translation>
    </message>
    <message>
        <source>Copy it into the library…</source>
        <translation>In die Bibliothek kopieren…</translation>
    </message>
    <message>
        <source>It can stay where it is, or be checked and copied into Inglenook&apos;s own store.</source>
        <translation>Es kann bleiben, wo es ist, oder geprüft und in Inglenooks eigene Ablage kopiert werden.</translation>
    </message>
    <message>
        <source>Look for models in it</source>
        <translation>Darin nach Modellen suchen</translation>
    </message>
    <message>
        <source>It is no model itself. Models that lie below it can be listed, now and later.</source>
        <translation>Das ist selbst kein Modell. Modelle, die darunter liegen, können aufgeführt werden, jetzt und später.</translation>
    </message>
    <message>
        <source>Dropped: {name}</source>
        <translation>Hierher gezogen: {name}</translation>
    </message>
</context>
<context>
    <name>ModelHead</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Back to the list (Esc)</source>
        <translation>Zurück zur Liste (Esc)</translation>
    </message>
    <message>
        <source>by {owner}</source>
        <translation>von {owner}</translation>
    </message>
    <message>
        <source>{format}, {bits} bits</source>
        <translation>{format}, {bits} Bit</translation>
    </message>
    <message>
        <source>{kind}, groups of {count}</source>
        <translation>{kind}, Gruppen zu {count}</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} Token</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Made from</source>
        <translation>Gemacht aus</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>Downloads</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Commit</source>
        <translation>Commit</translation>
    </message>
</context>
<context>
    <name>ModelMenus</name>
    <message>
        <source>Answer again with</source>
        <translation>Noch einmal antworten mit</translation>
    </message>
    <message>
        <source>Answer again with {name} · {state}</source>
        <translation>Noch einmal mit {name} antworten · {state}</translation>
    </message>
    <message>
        <source>Load {name} beside and answer again</source>
        <translation>{name} daneben laden und noch einmal antworten</translation>
    </message>
    <message>
        <source>Another model…</source>
        <translation>Anderes Modell…</translation>
    </message>
</context>
<context>
    <name>ModelPage</name>
    <message>
        <source>Builds</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>No other builds</source>
        <translation>Keine anderen Ausgaben</translation>
    </message>
    <message>
        <source>The hub knows of no quantised build that was made of this model.</source>
        <translation>Der Hub kennt keine quantisierte Ausgabe, die aus diesem Modell gemacht wurde.</translation>
    </message>
    <message>
        <source>About this model</source>
        <translation>Über dieses Modell</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Asking the hub…</source>
        <translation>Der Hub wird gefragt…</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Will it fit?</source>
        <translation>Passt es?</translation>
    </message>
</context>
<context>
    <name>ModelPicker</name>
    <message numerus="yes">
        <source>So does it in %n other open chat(s).</source>
        <translation>
            <numerusform>Ebenso in %n anderen offenen Chat.</numerusform>
            <numerusform>Ebenso in %n anderen offenen Chats.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) under way are interrupted; what is written is kept.</source>
        <translation>
            <numerusform>%n laufende Antwort wird unterbrochen; was geschrieben ist, bleibt.</numerusform>
            <numerusform>%n laufende Antworten werden unterbrochen; was geschrieben ist, bleibt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other chat(s) use {old}; it is unloaded, and {new} answers there from then on.</source>
        <translation>
            <numerusform>%n anderer Chat nutzt {old}; es wird entladen, und fortan antwortet dort {new}.</numerusform>
            <numerusform>%n andere Chats nutzen {old}; es wird entladen, und fortan antwortet dort {new}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other chat(s) keep to {old} and wait until it is loaded again.</source>
        <translation>
            <numerusform>%n anderer Chat bleibt bei {old} und wartet, bis es wieder geladen ist.</numerusform>
            <numerusform>%n andere Chats bleiben bei {old} und warten, bis es wieder geladen ist.</numerusform>
        </translation>
    </message>
    <message>
        <source>{name} is loaded again.</source>
        <translation>{name} wird wieder geladen.</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>{name} answers this chat.</source>
        <translation>{name} beantwortet diesen Chat.</translation>
    </message>
    <message>
        <source>{name} answers this chat from now on; what is written so far stays.</source>
        <translation>{name} beantwortet diesen Chat von jetzt an; was bisher geschrieben ist, bleibt.</translation>
    </message>
    <message>
        <source>{name} stays loaded.</source>
        <translation>{name} bleibt geladen.</translation>
    </message>
    <message>
        <source>Use it here</source>
        <translation>Hier verwenden</translation>
    </message>
    <message>
        <source>Search the hub for models that run on this computer, and see what fits before you fetch anything.</source>
        <translation>Suchen Sie im Hub nach Modellen, die auf diesem Rechner laufen, und sehen Sie, was passt, bevor Sie etwas holen.</translation>
    </message>
    <message>
        <source>A model on this computer, in a folder with its safetensors.</source>
        <translation>Ein Modell auf diesem Rechner, in einem Ordner mit seinen Safetensors.</translation>
    </message>
    <message>
        <source>A model on this computer that is a single file.</source>
        <translation>Ein Modell auf diesem Rechner, das eine einzige Datei ist.</translation>
    </message>
    <message>
        <source>It is {fit}. If you load it all the same, the engine says what helps.</source>
        <translation>Hier gilt: {fit}. Laden Sie es trotzdem, sagt die Engine, was hilft.</translation>
    </message>
    <message>
        <source>{old} is unloaded.</source>
        <translation>{old} wird entladen.</translation>
    </message>
    <message>
        <source>Beside {old}: {fit}.</source>
        <translation>Neben {old}: {fit}.</translation>
    </message>
    <message>
        <source>There is no room for it beside {old}: {size} are missing.</source>
        <translation>Neben {old} ist kein Platz dafür: Es fehlen {size}.</translation>
    </message>
    <message>
        <source>There is no room for it beside {old}.</source>
        <translation>Neben {old} ist kein Platz dafür.</translation>
    </message>
    <message>
        <source>Find models…</source>
        <translation>Modelle suchen…</translation>
    </message>
    <message>
        <source>Load a folder…</source>
        <translation>Ordner laden…</translation>
    </message>
    <message>
        <source>Load a GGUF file…</source>
        <translation>GGUF-Datei laden…</translation>
    </message>
    <message>
        <source>the starter model</source>
        <translation>das Startmodell</translation>
    </message>
    <message>
        <source>Hugging Face cache</source>
        <translation>Hugging-Face-Cache</translation>
    </message>
    <message>
        <source>quantised here</source>
        <translation>hier quantisiert</translation>
    </message>
    <message>
        <source>converted here</source>
        <translation>hier umgewandelt</translation>
    </message>
    <message>
        <source>in {folder}</source>
        <translation>in {folder}</translation>
    </message>
    <message>
        <source>too big by {size}</source>
        <translation>um {size} zu groß</translation>
    </message>
    <message>
        <source>does not fit as it is set</source>
        <translation>passt so eingestellt nicht</translation>
    </message>
    <message>
        <source>fits with {tokens} tokens, {chats} chats</source>
        <translation>passt mit {tokens} Token, {chats} Chats</translation>
    </message>
    <message>
        <source>fits with {tokens} tokens, one chat</source>
        <translation>passt mit {tokens} Token, einem Chat</translation>
    </message>
    <message>
        <source>GPU {numbers}</source>
        <translation>GPU {numbers}</translation>
    </message>
    <message>
        <source>not loaded</source>
        <translation>nicht geladen</translation>
    </message>
    <message>
        <source>could not be loaded</source>
        <translation>konnte nicht geladen werden</translation>
    </message>
    <message>
        <source>{percent} %</source>
        <translation>{percent} %</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>loaded before</source>
        <translation>früher geladen</translation>
    </message>
    <message>
        <source>answers this chat</source>
        <translation>antwortet in diesem Chat</translation>
    </message>
    <message>
        <source>Model of this chat</source>
        <translation>Modell dieses Chats</translation>
    </message>
    <message>
        <source>Type a part of a model&apos;s name</source>
        <translation>Teil eines Modellnamens eingeben</translation>
    </message>
    <message>
        <source>Find a model</source>
        <translation>Modell suchen</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
</context>
<context>
    <name>Monitor</name>
    <message numerus="yes">
        <source>%n at work</source>
        <translation>
            <numerusform>%n aktiv</numerusform>
            <numerusform>%n aktiv</numerusform>
        </translation>
    </message>
    <message>
        <source>Measurement of speed</source>
        <translation>Messung des Tempos</translation>
    </message>
    <message>
        <source>Titles of chats</source>
        <translation>Titel von Chats</translation>
    </message>
    <message>
        <source>Question from a terminal</source>
        <translation>Frage aus einem Terminal</translation>
    </message>
    <message>
        <source>The engine is not running.</source>
        <translation>Die Engine läuft nicht.</translation>
    </message>
    <message>
        <source>The engine is starting.</source>
        <translation>Die Engine startet.</translation>
    </message>
    <message>
        <source>No model is loaded, so there is no KV cache.</source>
        <translation>Kein Modell ist geladen, also gibt es keinen KV-Cache.</translation>
    </message>
    <message>
        <source>A model is being loaded. Its KV cache is there when that is done.</source>
        <translation>Ein Modell wird geladen. Ist das fertig, gibt es seinen KV-Cache.</translation>
    </message>
    <message>
        <source>The model sleeps: its KV cache is given back, and built anew with the next message.</source>
        <translation>Das Modell schläft: Sein KV-Cache ist freigegeben und entsteht neu mit der nächsten Nachricht.</translation>
    </message>
    <message>
        <source>The engine has died, and is started again.</source>
        <translation>Die Engine ist gestorben und wird neu gestartet.</translation>
    </message>
    <message>
        <source>The engine has failed. What to do is said in its banner.</source>
        <translation>Die Engine ist ausgefallen. Was zu tun ist, steht in ihrem Hinweis.</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>Kein Modell</translation>
    </message>
    <message>
        <source>CPU {percent} %</source>
        <translation>CPU {percent} %</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>verloren</translation>
    </message>
    <message>
        <source>{percent} %</source>
        <translation>{percent} %</translation>
    </message>
    <message>
        <source>{percent} % of {total} blocks</source>
        <translation>{percent} % von {total} Blöcken</translation>
    </message>
    <message>
        <source>{rate} tokens/s</source>
        <translation>{rate} Token/s</translation>
    </message>
    <message>
        <source>{count} waiting</source>
        <translation>{count} warten</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
    <message>
        <source>Record the monitor</source>
        <translation>Monitor aufzeichnen</translation>
    </message>
    <message>
        <source>Open a recording</source>
        <translation>Aufzeichnung öffnen</translation>
    </message>
    <message>
        <source>Export a picture</source>
        <translation>Bild exportieren</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Bilder (*.png)</translation>
    </message>
    <message>
        <source>Export the histories</source>
        <translation>Verläufe exportieren</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>Export the chats</source>
        <translation>Chats exportieren</translation>
    </message>
    <message>
        <source>That chat is not there any more.</source>
        <translation>Dieser Chat ist nicht mehr da.</translation>
    </message>
    <message>
        <source>The monitor is being recorded to {name}.</source>
        <translation>Der Monitor wird in {name} aufgezeichnet.</translation>
    </message>
    <message>
        <source>Recordings (*.jsonl)</source>
        <translation>Aufzeichnungen (*.jsonl)</translation>
    </message>
</context>
<context>
    <name>MonitorCards</name>
    <message>
        <source>not available</source>
        <translation>nicht verfügbar</translation>
    </message>
    <message>
        <source>{number} %</source>
        <translation>{number} %</translation>
    </message>
    <message>
        <source>{number} W</source>
        <translation>{number} W</translation>
    </message>
    <message>
        <source>{number} °C</source>
        <translation>{number} °C</translation>
    </message>
    <message>
        <source>{number} MHz</source>
        <translation>{number} MHz</translation>
    </message>
    <message>
        <source>{number} GiB</source>
        <translation>{number} GiB</translation>
    </message>
    <message>
        <source>{size}/s</source>
        <translation>{size}/s</translation>
    </message>
    <message>
        <source>{number} tok/s</source>
        <translation>{number} Tok/s</translation>
    </message>
    <message>
        <source>{number} ms</source>
        <translation>{number} ms</translation>
    </message>
    <message>
        <source>{number} s</source>
        <translation>{number} s</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} min {seconds} s</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>{seconds} s ago</source>
        <translation>vor {seconds} s</translation>
    </message>
    <message>
        <source>{minutes}:{seconds} ago</source>
        <translation>vor {minutes}:{seconds}</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>KV in use</source>
        <translation>KV genutzt</translation>
    </message>
    <message>
        <source>KV cached</source>
        <translation>KV im Cache</translation>
    </message>
    <message>
        <source>KV free</source>
        <translation>KV frei</translation>
    </message>
    <message>
        <source>Working memory</source>
        <translation>Speicher zum Rechnen</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>Andere Programme</translation>
    </message>
    <message>
        <source>Unnamed</source>
        <translation>Ohne Namen</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>Treiber</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Frei</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GPU {number} · {name}</source>
        <translation>GPU {number} · {name}</translation>
    </message>
    <message>
        <source>Held back: {causes}</source>
        <translation>Gebremst: {causes}</translation>
    </message>
    <message>
        <source>PCIe {now}</source>
        <translation>PCIe {now}</translation>
    </message>
    <message>
        <source>PCIe {now} of {most}</source>
        <translation>PCIe {now} von {most}</translation>
    </message>
    <message>
        <source>NVLink, {count} links</source>
        <translation>NVLink, {count} Verbindungen</translation>
    </message>
</context>
<context>
    <name>MonitorExport</name>
    <message>
        <source>{path} cannot be written ({reason}). Choose another place.</source>
        <translation>{path} kann nicht geschrieben werden ({reason}). Wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>MonitorFeed</name>
    <message>
        <source>{path} cannot be written ({reason}). Choose another place.</source>
        <translation>{path} kann nicht geschrieben werden ({reason}). Wählen Sie einen anderen Ort.</translation>
    </message>
</context>
<context>
    <name>MonitorHead</name>
    <message>
        <source>Monitor</source>
        <translation>Monitor</translation>
    </message>
    <message>
        <source>Frozen</source>
        <translation>Eingefroren</translation>
    </message>
    <message>
        <source>The view is frozen; readings go on</source>
        <translation>Die Ansicht ist eingefroren; gemessen wird weiter</translation>
    </message>
    <message>
        <source>Freeze the view</source>
        <translation>Ansicht einfrieren</translation>
    </message>
    <message>
        <source>Record to a file…</source>
        <translation>In eine Datei aufzeichnen…</translation>
    </message>
    <message>
        <source>Open a recording…</source>
        <translation>Aufzeichnung öffnen…</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Alerts: what is watched…</source>
        <translation>Warnungen: was beobachtet wird…</translation>
    </message>
    <message>
        <source>Close the monitor</source>
        <translation>Monitor schließen</translation>
    </message>
    <message>
        <source>Engine that is shown</source>
        <translation>Gezeigte Engine</translation>
    </message>
    <message>
        <source>Back into the window of the chats</source>
        <translation>Zurück ins Fenster der Chats</translation>
    </message>
    <message>
        <source>Give it a window of its own</source>
        <translation>In ein eigenes Fenster setzen</translation>
    </message>
    <message>
        <source>End the recording</source>
        <translation>Aufzeichnung beenden</translation>
    </message>
    <message>
        <source>● REC {time}</source>
        <translation>● REC {time}</translation>
    </message>
    <message>
        <source>Recording to {name}, {size} so far</source>
        <translation>Aufzeichnung in {name}, bisher {size}</translation>
    </message>
    <message>
        <source>Recording to {name} for {time}</source>
        <translation>Aufzeichnung in {name} seit {time}</translation>
    </message>
    <message>
        <source>A picture of the monitor (PNG)…</source>
        <translation>Ein Bild des Monitors (PNG)…</translation>
    </message>
    <message>
        <source>The histories as a table (CSV)…</source>
        <translation>Die Verläufe als Tabelle (CSV)…</translation>
    </message>
    <message>
        <source>The chats as a table (CSV)…</source>
        <translation>Die Chats als Tabelle (CSV)…</translation>
    </message>
    <message>
        <source>Go on: what came meanwhile is there</source>
        <translation>Weiter: Was inzwischen kam, ist da</translation>
    </message>
    <message>
        <source>Freeze the view; readings go on</source>
        <translation>Ansicht einfrieren; gemessen wird weiter</translation>
    </message>
</context>
<context>
    <name>MonitorPage</name>
    <message>
        <source>Monitor and alerts</source>
        <translation>Monitor und Warnungen</translation>
    </message>
    <message>
        <source>Watch while the monitor is closed, too</source>
        <translation>Auch bei geschlossenem Monitor beobachten</translation>
    </message>
    <message>
        <source>Alerts are shown in the status bar. The engines&apos; own readings are used; GPUs are asked every five seconds, and only where there are any.</source>
        <translation>Warnungen erscheinen in der Statusleiste. Genutzt werden die Messwerte der Engines selbst; GPUs werden alle fünf Sekunden abgefragt, und nur, wo es welche gibt.</translation>
    </message>
    <message>
        <source>All as they were at first</source>
        <translation>Alles wie am Anfang</translation>
    </message>
    <message>
        <source>{alert}: told from above</source>
        <translation>{alert}: gemeldet über</translation>
    </message>
    <message>
        <source>above</source>
        <translation>über</translation>
    </message>
</context>
<context>
    <name>MonitorPanel</name>
    <message>
        <source>Monitor</source>
        <translation>Monitor</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV-Cache</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Ladevorgang</translation>
    </message>
    <message>
        <source>Inglenook&apos;s monitor, {moment}, from the recording {name}</source>
        <translation>Monitor von Inglenook, {moment}, aus der Aufzeichnung {name}</translation>
    </message>
    <message>
        <source>Inglenook&apos;s monitor, {moment}</source>
        <translation>Monitor von Inglenook, {moment}</translation>
    </message>
    <message>
        <source>{path} cannot be read: {reason}</source>
        <translation>{path} kann nicht gelesen werden: {reason}</translation>
    </message>
    <message>
        <source>Computer</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>The hardware has not been read yet.</source>
        <translation>Die Hardware wurde noch nicht ausgelesen.</translation>
    </message>
    <message>
        <source>The engine has not told of it yet.</source>
        <translation>Die Engine hat dazu noch nichts gemeldet.</translation>
    </message>
    <message>
        <source>No chat has anything in the KV cache yet.</source>
        <translation>Noch hat kein Chat etwas im KV-Cache.</translation>
    </message>
    <message>
        <source>No model has been loaded yet.</source>
        <translation>Noch wurde kein Modell geladen.</translation>
    </message>
</context>
<context>
    <name>MonitorStrip</name>
    <message>
        <source>KV</source>
        <translation>KV</translation>
    </message>
    <message>
        <source>{percent} %</source>
        <translation>{percent} %</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>{rate} tokens/s</source>
        <translation>{rate} Token/s</translation>
    </message>
    <message>
        <source>{used}/{total} GiB</source>
        <translation>{used}/{total} GiB</translation>
    </message>
    <message>
        <source>{running} running, {waiting} waiting</source>
        <translation>{running} laufen, {waiting} warten</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>GPU {number}</source>
        <translation>GPU {number}</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>{degrees} °C</source>
        <translation>{degrees} °C</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>verloren</translation>
    </message>
    <message>
        <source>not told</source>
        <translation>nicht gemeldet</translation>
    </message>
</context>
<context>
    <name>MonitorTable</name>
    <message>
        <source>Time (UTC)</source>
        <translation>Zeit (UTC)</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Is at</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>KV blocks</source>
        <translation>KV-Blöcke</translation>
    </message>
    <message>
        <source>Shared with others (%)</source>
        <translation>Mit anderen geteilt (%)</translation>
    </message>
    <message>
        <source>Context (tokens)</source>
        <translation>Kontext (Token)</translation>
    </message>
    <message>
        <source>To read again for the next reply (tokens)</source>
        <translation>Für die nächste Antwort neu zu lesen (Token)</translation>
    </message>
    <message>
        <source>Speed (tokens/s)</source>
        <translation>Tempo (Token/s)</translation>
    </message>
    <message>
        <source>Place in the queue</source>
        <translation>Platz in der Reihe</translation>
    </message>
    <message>
        <source>Times sent back to the queue</source>
        <translation>Wie oft in die Reihe zurückgestellt</translation>
    </message>
    <message>
        <source>GPU {number}</source>
        <translation>GPU {number}</translation>
    </message>
    <message>
        <source>Engine {number}</source>
        <translation>Engine {number}</translation>
    </message>
    <message>
        <source>Computer</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>utilisation (%)</source>
        <translation>Auslastung (%)</translation>
    </message>
    <message>
        <source>memory traffic (%)</source>
        <translation>Speicherverkehr (%)</translation>
    </message>
    <message>
        <source>memory in use (bytes)</source>
        <translation>genutzter Speicher (Byte)</translation>
    </message>
    <message>
        <source>power (W)</source>
        <translation>Leistung (W)</translation>
    </message>
    <message>
        <source>temperature (°C)</source>
        <translation>Temperatur (°C)</translation>
    </message>
    <message>
        <source>clock (MHz)</source>
        <translation>Takt (MHz)</translation>
    </message>
    <message>
        <source>memory clock (MHz)</source>
        <translation>Speichertakt (MHz)</translation>
    </message>
    <message>
        <source>PCIe in (bytes/s)</source>
        <translation>PCIe eingehend (Byte/s)</translation>
    </message>
    <message>
        <source>PCIe out (bytes/s)</source>
        <translation>PCIe ausgehend (Byte/s)</translation>
    </message>
    <message>
        <source>NVLink in (bytes/s)</source>
        <translation>NVLink eingehend (Byte/s)</translation>
    </message>
    <message>
        <source>NVLink out (bytes/s)</source>
        <translation>NVLink ausgehend (Byte/s)</translation>
    </message>
    <message>
        <source>generation (tokens/s)</source>
        <translation>Erzeugung (Token/s)</translation>
    </message>
    <message>
        <source>prompts (tokens/s)</source>
        <translation>Prompts (Token/s)</translation>
    </message>
    <message>
        <source>running (requests)</source>
        <translation>laufend (Anfragen)</translation>
    </message>
    <message>
        <source>waiting (requests)</source>
        <translation>wartend (Anfragen)</translation>
    </message>
    <message>
        <source>preempted since the load (requests)</source>
        <translation>zurückgestellt seit dem Laden (Anfragen)</translation>
    </message>
    <message>
        <source>KV in use (blocks)</source>
        <translation>KV genutzt (Blöcke)</translation>
    </message>
    <message>
        <source>KV cached (blocks)</source>
        <translation>KV im Cache (Blöcke)</translation>
    </message>
    <message>
        <source>prefix cache hits (share)</source>
        <translation>Treffer im Präfix-Cache (Anteil)</translation>
    </message>
    <message>
        <source>time to first token p50 (s)</source>
        <translation>Zeit bis zum ersten Token p50 (s)</translation>
    </message>
    <message>
        <source>time to first token p90 (s)</source>
        <translation>Zeit bis zum ersten Token p90 (s)</translation>
    </message>
    <message>
        <source>time between tokens p50 (s)</source>
        <translation>Zeit zwischen Token p50 (s)</translation>
    </message>
    <message>
        <source>time between tokens p90 (s)</source>
        <translation>Zeit zwischen Token p90 (s)</translation>
    </message>
    <message>
        <source>memory of its process (bytes)</source>
        <translation>Speicher des Prozesses (Byte)</translation>
    </message>
    <message>
        <source>processor (%)</source>
        <translation>Prozessor (%)</translation>
    </message>
    <message>
        <source>swap in use (bytes)</source>
        <translation>genutzter Swap (Byte)</translation>
    </message>
</context>
<context>
    <name>MonitorWindow</name>
    <message>
        <source>Monitor – Inglenook</source>
        <translation>Monitor – Inglenook</translation>
    </message>
</context>
<context>
    <name>MoreLine</name>
    <message>
        <source>Loading more…</source>
        <translation>Mehr wird geladen…</translation>
    </message>
</context>
<context>
    <name>MoveStoreDialog</name>
    <message>
        <source>Move the models</source>
        <translation>Modelle verschieben</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>Stop moving</source>
        <translation>Verschieben anhalten</translation>
    </message>
    <message>
        <source>New folder of the models</source>
        <translation>Neuer Ordner der Modelle</translation>
    </message>
    <message>
        <source>A folder on the other disk</source>
        <translation>Ein Ordner auf der anderen Platte</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>The models are moved</source>
        <translation>Die Modelle sind verschoben</translation>
    </message>
    <message>
        <source>They lie in {folder} now, and were compared byte by byte.</source>
        <translation>Sie liegen jetzt in {folder} und wurden Byte für Byte verglichen.</translation>
    </message>
    <message>
        <source>Your models lie in {folder}.</source>
        <translation>Ihre Modelle liegen in {folder}.</translation>
    </message>
    <message>
        <source>Move them into</source>
        <translation>Verschieben nach</translation>
    </message>
    <message>
        <source>They are copied and compared first, and taken away here only then. If the move is broken off, all stays as it is, and another try goes on.</source>
        <translation>Sie werden zuerst kopiert und verglichen und erst dann hier entfernt. Wird das Verschieben abgebrochen, bleibt alles, wie es ist, und ein neuer Versuch macht dort weiter.</translation>
    </message>
    <message>
        <source>Choose the new folder of the models</source>
        <translation>Den neuen Ordner der Modelle wählen</translation>
    </message>
    <message>
        <source>Your models lie in {folder} and take {size}.</source>
        <translation>Ihre Modelle liegen in {folder} und belegen {size}.</translation>
    </message>
    <message>
        <source>{size} are free there.</source>
        <translation>Dort sind {size} frei.</translation>
    </message>
</context>
<context>
    <name>NetworkPage</name>
    <message>
        <source>Network and models</source>
        <translation>Netz und Modelle</translation>
    </message>
    <message>
        <source>Stay offline</source>
        <translation>Offline bleiben</translation>
    </message>
    <message>
        <source>The hub is never asked and nothing is fetched; downloads wait. Without this, too, only what you look for or download goes over the network.</source>
        <translation>Der Hub wird nie gefragt und nichts geholt; Downloads warten. Auch ohne dies geht nur ins Netz, was Sie suchen oder herunterladen.</translation>
    </message>
    <message>
        <source>Address of the hub or of a mirror</source>
        <translation>Adresse des Hubs oder eines Spiegels</translation>
    </message>
    <message>
        <source>Empty: as the variable HF_ENDPOINT says, else the public hub.</source>
        <translation>Leer: wie die Variable HF_ENDPOINT sagt, sonst der öffentliche Hub.</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>Proxy</translation>
    </message>
    <message>
        <source>Empty: as the variables HTTPS_PROXY and HTTP_PROXY say, else none.</source>
        <translation>Leer: wie die Variablen HTTPS_PROXY und HTTP_PROXY sagen, sonst keiner.</translation>
    </message>
    <message>
        <source>A file in PEM form</source>
        <translation>Eine Datei im PEM-Format</translation>
    </message>
    <message>
        <source>Certificates to trust</source>
        <translation>Vertrauenswürdige Zertifikate</translation>
    </message>
    <message>
        <source>For a company&apos;s proxy or mirror. Empty: those of the system.</source>
        <translation>Für Proxy oder Spiegel einer Firma. Leer: die des Systems.</translation>
    </message>
    <message>
        <source>Choose the file…</source>
        <translation>Datei wählen…</translation>
    </message>
    <message>
        <source>Access token for the hub</source>
        <translation>Zugangstoken für den Hub</translation>
    </message>
    <message>
        <source>Sign in or out…</source>
        <translation>An- oder abmelden…</translation>
    </message>
    <message>
        <source> MiB/s</source>
        <translation> MiB/s</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>Keine Grenze</translation>
    </message>
    <message>
        <source>Downloads take at most</source>
        <translation>Downloads nehmen höchstens</translation>
    </message>
    <message>
        <source>All of them together. It holds at once, for those that run, too.</source>
        <translation>Alle zusammen. Es gilt sofort, auch für laufende.</translation>
    </message>
    <message>
        <source>Your models are kept in</source>
        <translation>Ihre Modelle liegen in</translation>
    </message>
    <message>
        <source>Move them…</source>
        <translation>Verschieben…</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Show the models in the Hugging Face cache</source>
        <translation>Die Modelle im Hugging-Face-Cache zeigen</translation>
    </message>
    <message>
        <source>What other programs have fetched is loaded from there, and not copied.</source>
        <translation>Was andere Programme geholt haben, wird von dort geladen und nicht kopiert.</translation>
    </message>
    <message>
        <source>Other folders to look for models in</source>
        <translation>Andere Ordner, in denen nach Modellen gesucht wird</translation>
    </message>
    <message>
        <source>Each with all that lies below it. Nothing in them is changed.</source>
        <translation>Jeder mit allem, was darunter liegt. Nichts darin wird geändert.</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>Ordner hinzufügen…</translation>
    </message>
    <message>
        <source>Take off the list</source>
        <translation>Von der Liste nehmen</translation>
    </message>
    <message>
        <source>Choose a file of certificates</source>
        <translation>Eine Datei mit Zertifikaten wählen</translation>
    </message>
    <message>
        <source>It is kept in {place}.</source>
        <translation>Es liegt in {place}.</translation>
    </message>
    <message>
        <source>None. Only models with a licence to accept, and private ones, need it.</source>
        <translation>Keines. Nur Modelle mit anzunehmender Lizenz und private brauchen es.</translation>
    </message>
    <message>
        <source>Choose a folder of models</source>
        <translation>Einen Ordner mit Modellen wählen</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Close this notice</source>
        <translation>Diesen Hinweis schließen</translation>
    </message>
</context>
<context>
    <name>Notifier</name>
    <message>
        <source>The answer is there.</source>
        <translation>Die Antwort ist da.</translation>
    </message>
    <message>
        <source>The answer failed.</source>
        <translation>Die Antwort ist misslungen.</translation>
    </message>
</context>
<context>
    <name>NumberFields</name>
    <message>
        <source>{name}: back to the model&apos;s default</source>
        <translation>{name}: zurück zur Vorgabe des Modells</translation>
    </message>
    <message>
        <source>Back to the model&apos;s default</source>
        <translation>Zurück zur Vorgabe des Modells</translation>
    </message>
    <message>
        <source>Back to the model&apos;s default: {value}</source>
        <translation>Zurück zur Vorgabe des Modells: {value}</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>How freely the model chooses: 0 always takes the likeliest word</source>
        <translation>Wie frei das Modell wählt: 0 nimmt immer das wahrscheinlichste Wort</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Only the likeliest words whose shares add up to this are considered</source>
        <translation>Nur die wahrscheinlichsten Wörter, deren Anteile zusammen dies ergeben, kommen in Frage</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Only this many of the likeliest words are considered; 0: all</source>
        <translation>Nur so viele der wahrscheinlichsten Wörter kommen in Frage; 0: alle</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Words below this share of the likeliest one are left out</source>
        <translation>Wörter unter diesem Anteil des wahrscheinlichsten fallen weg</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>Präsenzmalus</translation>
    </message>
    <message>
        <source>Above 0: words that were used once already become less likely</source>
        <translation>Über 0: Schon benutzte Wörter werden weniger wahrscheinlich</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>Häufigkeitsmalus</translation>
    </message>
    <message>
        <source>Above 0: the more often a word was used, the less likely it becomes</source>
        <translation>Über 0: Je öfter ein Wort benutzt wurde, desto unwahrscheinlicher wird es</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>Wiederholungsmalus</translation>
    </message>
    <message>
        <source>Above 1: words of the chat so far become less likely</source>
        <translation>Über 1: Wörter aus dem bisherigen Chat werden weniger wahrscheinlich</translation>
    </message>
    <message>
        <source>Longest answer (tokens)</source>
        <translation>Längste Antwort (Token)</translation>
    </message>
    <message>
        <source>An answer ends here at the latest</source>
        <translation>Spätestens hier endet eine Antwort</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>The same seed and settings give the same answer again</source>
        <translation>Derselbe Startwert ergibt mit denselben Einstellungen wieder dieselbe Antwort</translation>
    </message>
</context>
<context>
    <name>OverflowDialog</name>
    <message>
        <source>This chat is too long for the model</source>
        <translation>Dieser Chat ist zu lang für das Modell</translation>
    </message>
    <message>
        <source>Always do this in this chat</source>
        <translation>In diesem Chat immer so verfahren</translation>
    </message>
    <message>
        <source>With your message this chat has {prompt} tokens; the model reads {context} at once.</source>
        <translation>Mit Ihrer Nachricht hat dieser Chat {prompt} Token; das Modell liest {context} auf einmal.</translation>
    </message>
    <message>
        <source>Of these {reserve} are kept for the answer.</source>
        <translation>Davon sind {reserve} für die Antwort bestimmt.</translation>
    </message>
    <message>
        <source>It fits if the oldest message is left out. It stays in the chat; the model does not read it for this answer:</source>
        <translation>Es passt, wenn die älteste Nachricht wegbleibt. Sie bleibt im Chat; das Modell liest sie nur für diese Antwort nicht:</translation>
    </message>
    <message>
        <source>It fits if the oldest {count} messages are left out. They stay in the chat; the model does not read them for this answer:</source>
        <translation>Es passt, wenn die ältesten {count} Nachrichten wegbleiben. Sie bleiben im Chat; das Modell liest sie nur für diese Antwort nicht:</translation>
    </message>
    <message>
        <source>Tokens before: {before}. Without them: {after} of {context}.</source>
        <translation>Token vorher: {before}. Ohne sie: {after} von {context}.</translation>
    </message>
    <message>
        <source>No older message can be left out. Sent as it is, {room} tokens are left for the answer; it may break off.</source>
        <translation>Keine ältere Nachricht kann wegbleiben. So gesendet bleiben {room} Token für die Antwort; sie kann abbrechen.</translation>
    </message>
    <message>
        <source>Messages that would be left out</source>
        <translation>Nachrichten, die wegbleiben würden</translation>
    </message>
    <message>
        <source>… and {count} more</source>
        <translation>… und {count} weitere</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>{who}: {words}</source>
        <translation>{who}: {words}</translation>
    </message>
    <message>
        <source>Don&apos;t send</source>
        <translation>Nicht senden</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>Trotzdem senden</translation>
    </message>
    <message>
        <source>All of it, with little room for the answer</source>
        <translation>Alles, mit wenig Platz für die Antwort</translation>
    </message>
    <message>
        <source>Leave them out and send</source>
        <translation>Weglassen und senden</translation>
    </message>
</context>
<context>
    <name>PageMenu</name>
    <message>
        <source>Open link…</source>
        <translation>Link öffnen…</translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation>Linkadresse kopieren</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy message as Markdown</source>
        <translation>Nachricht als Markdown kopieren</translation>
    </message>
    <message>
        <source>Copy what it thought</source>
        <translation>Gedanken kopieren</translation>
    </message>
    <message>
        <source>Quote in your reply</source>
        <translation>In der Antwort zitieren</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>PaletteModel</name>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
</context>
<context>
    <name>ParameterFields</name>
    <message>
        <source>a whole number</source>
        <translation>eine ganze Zahl</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>Write {what}.</source>
        <translation>Schreiben Sie {what}.</translation>
    </message>
    <message>
        <source>{value} (the model&apos;s own)</source>
        <translation>{value} (vom Modell)</translation>
    </message>
    <message>
        <source>{value} (default)</source>
        <translation>{value} (Vorgabe)</translation>
    </message>
    <message>
        <source>as much as fits</source>
        <translation>so viel wie passt</translation>
    </message>
    <message>
        <source>another each time</source>
        <translation>jedes Mal ein anderer</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>More than {low}, at most {high}.</source>
        <translation>Mehr als {low}, höchstens {high}.</translation>
    </message>
    <message>
        <source>From {low} to {high}.</source>
        <translation>Von {low} bis {high}.</translation>
    </message>
</context>
<context>
    <name>PasteOffer</name>
    <message>
        <source>You pasted {size}.</source>
        <translation>Sie haben {size} eingefügt.</translation>
    </message>
    <message>
        <source>Attach as text file</source>
        <translation>Als Textdatei anhängen</translation>
    </message>
    <message>
        <source>Keep in the message</source>
        <translation>In der Nachricht lassen</translation>
    </message>
    <message>
        <source>What you pasted is too large for a message: {size}.</source>
        <translation>Das Eingefügte ist zu groß für eine Nachricht: {size}.</translation>
    </message>
    <message>
        <source>What you pasted ({size}) was attached as a text.</source>
        <translation>Das Eingefügte ({size}) wurde als Text angehängt.</translation>
    </message>
    <message>
        <source>Put it into the message instead</source>
        <translation>Stattdessen in die Nachricht setzen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Pasted text.txt</source>
        <translation>Eingefügter Text.txt</translation>
    </message>
    <message>
        <source>Pasted text {number}.txt</source>
        <translation>Eingefügter Text {number}.txt</translation>
    </message>
</context>
<context>
    <name>PickerDesk</name>
    <message>
        <source>Looking for the models on this computer…</source>
        <translation>Die Modelle auf diesem Rechner werden gesucht…</translation>
    </message>
</context>
<context>
    <name>PickerFoot</name>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Load beside</source>
        <translation>Daneben laden</translation>
    </message>
    <message>
        <source>Shift+Enter</source>
        <translation>Umschalt+Enter</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen…</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Strg+Enter</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>Entladen</translation>
    </message>
</context>
<context>
    <name>PlanPanel</name>
    <message>
        <source>What this model needs cannot be told before it is here.</source>
        <translation>Was dieses Modell braucht, lässt sich erst sagen, wenn es hier ist.</translation>
    </message>
    <message>
        <source>Reading the hardware…</source>
        <translation>Die Hardware wird gelesen…</translation>
    </message>
    <message>
        <source>Asking the hub…</source>
        <translation>Der Hub wird gefragt…</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Let the planner choose context and GPUs</source>
        <translation>Den Planer Kontext und GPUs wählen lassen</translation>
    </message>
    <message>
        <source>On this machine</source>
        <translation>Auf diesem Rechner</translation>
    </message>
    <message>
        <source>GPU {number} · {name}</source>
        <translation>GPU {number} · {name}</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} Token</translation>
    </message>
    <message>
        <source>no room for any</source>
        <translation>kein Platz dafür</translation>
    </message>
    <message>
        <source>room for {count} such chats</source>
        <translation>Platz für {count} solche Chats</translation>
    </message>
    <message>
        <source>the model reads {count} at most</source>
        <translation>das Modell liest höchstens {count}</translation>
    </message>
    <message>
        <source>This cannot be planned ({reason}).</source>
        <translation>Das lässt sich nicht planen ({reason}).</translation>
    </message>
</context>
<context>
    <name>Planner</name>
    <message>
        <source>Only {context} tokens fit: a short chat.</source>
        <translation>Nur {context} Token passen: ein kurzer Chat.</translation>
    </message>
    <message>
        <source>The GPUs are unequal: {gpu} with {bytes} decides for all.</source>
        <translation>Die GPUs sind ungleich: {gpu} mit {bytes} entscheidet für alle.</translation>
    </message>
    <message>
        <source>{asked} of GPU {gpu} ({name}) are wanted, but other programs use {others} of it: {utilisation} % can be had.</source>
        <translation>Von GPU {gpu} ({name}) sind {asked} verlangt, doch andere Programme nutzen {others} davon: {utilisation} % sind zu haben.</translation>
    </message>
    <message>
        <source>{gpu} (capability {capability}) cannot run models of this format: that takes 7.5 or newer. A 16-bit build runs.</source>
        <translation>{gpu} (Capability {capability}) kann Modelle dieses Formats nicht ausführen: Dafür ist 7.5 oder neuer nötig. Eine 16-Bit-Ausgabe läuft.</translation>
    </message>
    <message>
        <source>{gpu} does not compute in bfloat16: the model is loaded in float16.</source>
        <translation>{gpu} rechnet nicht in bfloat16: Das Modell wird in float16 geladen.</translation>
    </message>
    <message>
        <source>There is no GPU {gpu} here.</source>
        <translation>GPU {gpu} gibt es hier nicht.</translation>
    </message>
    <message>
        <source>The model cannot be divided among {tp} GPUs: {gpus} are there.</source>
        <translation>Das Modell kann nicht auf {tp} GPUs aufgeteilt werden: Vorhanden sind {gpus}.</translation>
    </message>
    <message>
        <source>On the processor the GGUF file is converted to 16-bit safetensors first, which take more memory.</source>
        <translation>Für den Prozessor wird die GGUF-Datei erst in 16-Bit-Safetensors umgewandelt, die mehr Speicher brauchen.</translation>
    </message>
    <message>
        <source>FP8 is unpacked on this processor, which takes {times} times the memory.</source>
        <translation>FP8 wird auf diesem Prozessor entpackt; das braucht {times}-mal so viel Speicher.</translation>
    </message>
    <message>
        <source>The size of the weights is reckoned from the model&apos;s config.json: its weight files could not be looked into.</source>
        <translation>Die Größe der Gewichte ist aus der config.json des Modells berechnet: In seine Gewichtsdateien war kein Blick möglich.</translation>
    </message>
    <message>
        <source>{layers} of its {all} layers keep a state of fixed size instead of a KV cache, which is not counted here.</source>
        <translation>{layers} seiner {all} Schichten haben statt eines KV-Caches einen Zustand fester Größe, der hier nicht mitzählt.</translation>
    </message>
    <message>
        <source>Divided among {tp} GPUs, a layer of width {width} would split a group of {group} weights that belong together.</source>
        <translation>Auf {tp} GPUs aufgeteilt, würde eine Schicht der Breite {width} eine Gruppe von {group} Gewichten zerteilen, die zusammengehören.</translation>
    </message>
    <message>
        <source>Use {utilisation} % of the GPU memory</source>
        <translation>{utilisation} % des GPU-Speichers nutzen</translation>
    </message>
    <message>
        <source>Use GPU {gpu} ({name})</source>
        <translation>GPU {gpu} ({name}) nutzen</translation>
    </message>
    <message>
        <source>Divide the model among {tp} GPUs</source>
        <translation>Das Modell auf {tp} GPUs aufteilen</translation>
    </message>
    <message>
        <source>Compute in bfloat16: half the memory, several times slower here</source>
        <translation>In bfloat16 rechnen: halber Speicher, hier um ein Mehrfaches langsamer</translation>
    </message>
    <message>
        <source>Keep the KV cache in FP8: half the memory a token</source>
        <translation>KV-Cache in FP8 halten: halber Speicher je Token</translation>
    </message>
    <message>
        <source>Write at most {sequences} answers at once</source>
        <translation>Höchstens {sequences} Antworten zugleich schreiben</translation>
    </message>
    <message>
        <source>Have room for {chats} such chats</source>
        <translation>Platz für {chats} solche Chats haben</translation>
    </message>
    <message>
        <source>Do without CUDA graphs: slower, and a quicker start</source>
        <translation>Ohne CUDA-Graphen: langsamer, aber schneller gestartet</translation>
    </message>
    <message>
        <source>The weights take {weights} and leave no room for a chat; {missing} more are needed.</source>
        <translation>Die Gewichte brauchen {weights} und lassen keinen Platz für einen Chat; es fehlen {missing}.</translation>
    </message>
    <message>
        <source>Make do with a context of {context} tokens</source>
        <translation>Mit {context} Token Kontext auskommen</translation>
    </message>
    <message>
        <source>Choose its AWQ build (4 bits, {bytes}), or quantise it</source>
        <translation>Seine AWQ-Ausgabe wählen (4 Bit, {bytes}) oder es quantisieren</translation>
    </message>
    <message>
        <source>Keep {bytes} of the weights in RAM: much slower</source>
        <translation>{bytes} der Gewichte im RAM halten: viel langsamer</translation>
    </message>
    <message>
        <source>Close {program}, which uses {bytes} of GPU {gpu}</source>
        <translation>{program} schließen: belegt {bytes} von GPU {gpu}</translation>
    </message>
    <message>
        <source>Close what uses {bytes} of GPU {gpu}</source>
        <translation>Schließen, was {bytes} von GPU {gpu} belegt</translation>
    </message>
    <message>
        <source>Close programs that use {bytes} of memory</source>
        <translation>Programme schließen, die {bytes} Speicher belegen</translation>
    </message>
    <message>
        <source>The weights take {weights} of each GPU and leave no room for a chat; {missing} more are needed.</source>
        <translation>Die Gewichte brauchen {weights} von jeder GPU und lassen keinen Platz für einen Chat; es fehlen {missing}.</translation>
    </message>
    <message>
        <source>{context} tokens need {needed} of KV cache; {available} are there, enough for {largest} tokens.</source>
        <translation>{context} Token brauchen {needed} KV-Cache; {available} sind da, genug für {largest} Token.</translation>
    </message>
    <message>
        <source>{chats} chats of {context} tokens need {needed} of KV cache; {available} are there, enough for {largest} tokens.</source>
        <translation>{chats} Chats mit {context} Token brauchen {needed} KV-Cache; {available} sind da, genug für {largest} Token.</translation>
    </message>
    <message>
        <source>The model was made for {context} tokens, not for {asked_tokens}.</source>
        <translation>Das Modell ist für {context} Token gemacht, nicht für {asked_tokens}.</translation>
    </message>
    <message>
        <source>An FP8 KV cache on the processor takes AVX-512, which this one does not have.</source>
        <translation>Ein FP8-KV-Cache auf dem Prozessor braucht AVX-512; das hat dieser nicht.</translation>
    </message>
    <message>
        <source>{gpu} (capability {capability}) has no kernels for an FP8 KV cache.</source>
        <translation>{gpu} (Capability {capability}) hat keine Kernel für einen FP8-KV-Cache.</translation>
    </message>
    <message>
        <source>Its {heads} heads cannot be divided among {tp} GPUs.</source>
        <translation>Seine {heads} Köpfe lassen sich nicht auf {tp} GPUs aufteilen.</translation>
    </message>
    <message>
        <source>vLLM is not known to load a GGUF file of this architecture ({architecture}) as it is: it is converted to 16-bit safetensors first, which take more memory.</source>
        <translation>Dass vLLM eine GGUF-Datei dieser Architektur ({architecture}) so lädt, wie sie ist, ist nicht bekannt: Sie wird zuerst in 16-Bit-Safetensors umgewandelt, die mehr Speicher brauchen.</translation>
    </message>
    <message>
        <source>No GPU is chosen.</source>
        <translation>Keine GPU ist gewählt.</translation>
    </message>
</context>
<context>
    <name>Plot</name>
    <message>
        <source>{value}, {time}</source>
        <translation>{value}, {time}</translation>
    </message>
    <message>
        <source>{title}: {value}</source>
        <translation>{title}: {value}</translation>
    </message>
    <message>
        <source>{least} to {most} in the last minutes</source>
        <translation>{least} bis {most} in den letzten Minuten</translation>
    </message>
</context>
<context>
    <name>PresetRow</name>
    <message>
        <source>Preset</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>Save as new…</source>
        <translation>Als neue speichern…</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <source>Keep the chat&apos;s settings in this preset</source>
        <translation>Die Einstellungen des Chats in dieser Vorlage behalten</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>No preset</source>
        <translation>Keine Vorlage</translation>
    </message>
    <message>
        <source>Save as a new preset</source>
        <translation>Als neue Vorlage speichern</translation>
    </message>
    <message>
        <source>Name of the preset:</source>
        <translation>Name der Vorlage:</translation>
    </message>
    <message>
        <source>The preset “{name}” was deleted. The chat keeps its settings.</source>
        <translation>Die Vorlage „{name}“ wurde gelöscht. Der Chat behält seine Einstellungen.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>The presets could not be saved: {reason}</source>
        <translation>Die Vorlagen konnten nicht gespeichert werden: {reason}</translation>
    </message>
</context>
<context>
    <name>Presets</name>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>Coder</source>
        <translation>Programmieren</translation>
    </message>
    <message>
        <source>Writer</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>Translator</source>
        <translation>Übersetzen</translation>
    </message>
    <message>
        <source>Summariser</source>
        <translation>Zusammenfassen</translation>
    </message>
    <message>
        <source>Tutor</source>
        <translation>Nachhilfe</translation>
    </message>
    <message>
        <source>Precise (JSON)</source>
        <translation>Genau (JSON)</translation>
    </message>
</context>
<context>
    <name>QuantizeDesk</name>
    <message>
        <source>Show how far the quantising is</source>
        <translation>Zeigen, wie weit das Quantisieren ist</translation>
    </message>
</context>
<context>
    <name>QuantizeDialog</name>
    <message>
        <source>Quantise a model</source>
        <translation>Modell quantisieren</translation>
    </message>
    <message>
        <source>Quantise</source>
        <translation>Quantisieren</translation>
    </message>
    <message>
        <source>Install it</source>
        <translation>Installieren</translation>
    </message>
    <message>
        <source>Load it</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Stop quantising</source>
        <translation>Quantisieren anhalten</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>The quantiser (autoawq, under 1 MB) has to be fetched first.</source>
        <translation>Der Quantisierer (autoawq, unter 1 MB) muss erst geholt werden.</translation>
    </message>
    <message>
        <source>Quantise another</source>
        <translation>Weiteres quantisieren</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Four bits a weight</source>
        <translation>Vier Bit je Gewicht</translation>
    </message>
    <message>
        <source>AWQ makes a model about a third of its size. What that costs is measured, and a model that is no better than plain rounding is not kept.</source>
        <translation>AWQ verkleinert ein Modell auf etwa ein Drittel. Was das kostet, wird gemessen; ein Modell, das nicht besser ist als einfaches Runden, wird nicht behalten.</translation>
    </message>
    <message>
        <source>Quantising {model}</source>
        <translation>{model} wird quantisiert</translation>
    </message>
    <message>
        <source>You can close this and go on chatting.</source>
        <translation>Sie können das schließen und weiterchatten.</translation>
    </message>
    <message>
        <source>{model} is quantised</source>
        <translation>{model} ist quantisiert</translation>
    </message>
    <message>
        <source>It was read again from the disk and is better than plain rounding.</source>
        <translation>Es wurde von der Platte wieder gelesen und ist besser als einfaches Runden.</translation>
    </message>
    <message>
        <source>{model} was not quantised</source>
        <translation>{model} wurde nicht quantisiert</translation>
    </message>
</context>
<context>
    <name>QuantizeForm</name>
    <message>
        <source>Folder of the model</source>
        <translation>Ordner des Modells</translation>
    </message>
    <message>
        <source>Choose the folder of the model</source>
        <translation>Den Ordner des Modells wählen</translation>
    </message>
    <message>
        <source>Calibration text</source>
        <translation>Kalibriertext</translation>
    </message>
    <message>
        <source>Choose a file of text</source>
        <translation>Eine Textdatei wählen</translation>
    </message>
    <message>
        <source>The text that comes with Inglenook</source>
        <translation>Der mitgelieferte Text</translation>
    </message>
    <message>
        <source>A file of your own: a line --- ends a sample. {least} to {most} samples of {short} to {long} tokens.</source>
        <translation>Eigene Datei: Eine Zeile --- beendet eine Probe. {least} bis {most} Proben mit {short} bis {long} Token.</translation>
    </message>
    <message>
        <source>Folder to make</source>
        <translation>Neuer Ordner</translation>
    </message>
    <message>
        <source>Choose where to make it</source>
        <translation>Wählen, wo er entsteht</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>Durchsuchen…</translation>
    </message>
    <message>
        <source>Browse: {what}</source>
        <translation>Durchsuchen: {what}</translation>
    </message>
    <message>
        <source>Weights that share a scale</source>
        <translation>Gewichte mit gemeinsamer Skala</translation>
    </message>
    <message>
        <source>Automatic: the largest group that fits</source>
        <translation>Automatisch: die größte passende Gruppe</translation>
    </message>
    <message>
        <source>Groups of {count}</source>
        <translation>Gruppen zu {count}</translation>
    </message>
    <message>
        <source>Text (*.txt *.md *.jsonl)</source>
        <translation>Text (*.txt *.md *.jsonl)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>Quantizing</name>
    <message>
        <source>Checking the model and the text</source>
        <translation>Modell und Text werden geprüft</translation>
    </message>
    <message>
        <source>Loading the model</source>
        <translation>Das Modell wird geladen</translation>
    </message>
    <message>
        <source>Measuring the original</source>
        <translation>Das Original wird gemessen</translation>
    </message>
    <message>
        <source>Measuring plain rounding</source>
        <translation>Einfaches Runden wird gemessen</translation>
    </message>
    <message>
        <source>Layer {number} of {total}</source>
        <translation>Schicht {number} von {total}</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Wird geschrieben</translation>
    </message>
    <message>
        <source>Verifying what was written</source>
        <translation>Das Geschriebene wird geprüft</translation>
    </message>
    <message>
        <source>Finishing</source>
        <translation>Wird abgeschlossen</translation>
    </message>
    <message>
        <source>The time it takes is not known yet</source>
        <translation>Die Dauer ist noch nicht bekannt</translation>
    </message>
    <message>
        <source>{percent} % · {time} left</source>
        <translation>{percent} % · noch {time}</translation>
    </message>
    <message>
        <source>{count} s</source>
        <translation>{count} s</translation>
    </message>
    <message>
        <source>{count} min</source>
        <translation>{count} min</translation>
    </message>
    <message>
        <source>{count} h</source>
        <translation>{count} h</translation>
    </message>
    <message>
        <source>About {time} · {disk} of disk ({disk_free} free) · {memory} of memory ({memory_free} free) · groups of {group}</source>
        <translation>Etwa {time} · {disk} auf der Platte ({disk_free} frei) · {memory} Arbeitsspeicher ({memory_free} frei) · Gruppen zu {group}</translation>
    </message>
    <message>
        <source>The model was no better than plain rounding, so it was removed. Other text, more like what the model is used for, may help.</source>
        <translation>Das Modell war nicht besser als einfaches Runden und wurde entfernt. Anderer Text, der seinem Einsatz näher ist, hilft vielleicht.</translation>
    </message>
    <message>
        <source>The model agreed too seldom with the original, so it was removed.</source>
        <translation>Das Modell stimmte zu selten mit dem Original überein und wurde entfernt.</translation>
    </message>
    <message>
        <source>The calibration text cannot be used.</source>
        <translation>Der Kalibriertext ist nicht brauchbar.</translation>
    </message>
    <message>
        <source>There is not enough memory for it.</source>
        <translation>Dafür reicht der Speicher nicht.</translation>
    </message>
    <message>
        <source>There is not enough room on the disk.</source>
        <translation>Auf der Platte ist nicht genug Platz.</translation>
    </message>
    <message>
        <source>The folder for the new model is there already.</source>
        <translation>Den Ordner für das neue Modell gibt es schon.</translation>
    </message>
    <message>
        <source>The folder for the new model cannot be written.</source>
        <translation>In den Ordner für das neue Modell kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>Another process is making this model.</source>
        <translation>Ein anderer Prozess macht dieses Modell gerade.</translation>
    </message>
    <message>
        <source>This group size does not fit the model.</source>
        <translation>Diese Gruppengröße passt nicht zum Modell.</translation>
    </message>
    <message>
        <source>This model is quantised already.</source>
        <translation>Dieses Modell ist schon quantisiert.</translation>
    </message>
    <message>
        <source>There is no recipe for this kind of model.</source>
        <translation>Für diese Art Modell gibt es kein Rezept.</translation>
    </message>
    <message>
        <source>The quantiser is not installed.</source>
        <translation>Der Quantisierer ist nicht installiert.</translation>
    </message>
    <message>
        <source>There is no GPU to use.</source>
        <translation>Keine GPU ist nutzbar.</translation>
    </message>
    <message>
        <source>The quantiser ended without a word: it was killed, or memory ran out.</source>
        <translation>Der Quantisierer endete ohne ein Wort: Er wurde beendet, oder der Speicher ging aus.</translation>
    </message>
    <message>
        <source>Quantising failed.</source>
        <translation>Das Quantisieren ist misslungen.</translation>
    </message>
    <message>
        <source>This model cannot be quantised.</source>
        <translation>Dieses Modell kann nicht quantisiert werden.</translation>
    </message>
    <message>
        <source>Quantising {model}: {percent} %</source>
        <translation>{model} wird quantisiert: {percent} %</translation>
    </message>
    <message>
        <source>{model} is quantised</source>
        <translation>{model} ist quantisiert</translation>
    </message>
    <message>
        <source>{model} was not quantised</source>
        <translation>{model} wurde nicht quantisiert</translation>
    </message>
</context>
<context>
    <name>RecentModels</name>
    <message>
        <source>Recent models</source>
        <translation>Zuletzt geladene Modelle</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Load settings…</source>
        <translation>Ladeeinstellungen…</translation>
    </message>
    <message>
        <source>Choose another…</source>
        <translation>Anderes wählen…</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Its settings and times are remembered no longer; the model stays.</source>
        <translation>Seine Einstellungen und Zeiten werden vergessen; das Modell bleibt.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Each is loaded with its settings of the last time.</source>
        <translation>Jedes wird mit seinen Einstellungen vom letzten Mal geladen.</translation>
    </message>
    <message>
        <source>No model is remembered.</source>
        <translation>Kein Modell ist gemerkt.</translation>
    </message>
</context>
<context>
    <name>Recording</name>
    <message>
        <source>The recording has stopped: the disk of {path} is too slow. What was written until then is kept. Record to another disk.</source>
        <translation>Die Aufzeichnung hat angehalten: Die Platte von {path} ist zu langsam. Was bis dahin geschrieben war, bleibt. Zeichnen Sie auf eine andere Platte auf.</translation>
    </message>
    <message>
        <source>The recording has stopped: the disk is full. What was written to {path} until then is kept. Free some space, and record again.</source>
        <translation>Die Aufzeichnung hat angehalten: Die Platte ist voll. Was bis dahin nach {path} geschrieben war, bleibt. Schaffen Sie Platz und zeichnen Sie noch einmal auf.</translation>
    </message>
    <message>
        <source>The recording has stopped: {path} is as large as a recording may be. It is kept; record again to another file.</source>
        <translation>Die Aufzeichnung hat angehalten: {path} ist so groß, wie eine Aufzeichnung werden darf. Sie bleibt erhalten; zeichnen Sie in eine andere Datei weiter auf.</translation>
    </message>
    <message>
        <source>The recording to {path} has stopped ({reason}). What was written until then is kept.</source>
        <translation>Die Aufzeichnung nach {path} hat angehalten ({reason}). Was bis dahin geschrieben war, bleibt.</translation>
    </message>
    <message>
        <source>{path} is no recording of the monitor.</source>
        <translation>{path} ist keine Aufzeichnung des Monitors.</translation>
    </message>
    <message>
        <source>{path} was recorded by a newer Inglenook. Open it with that.</source>
        <translation>{path} wurde von einem neueren Inglenook aufgezeichnet. Öffnen Sie die Datei damit.</translation>
    </message>
</context>
<context>
    <name>ReplayBar</name>
    <message>
        <source>Recording</source>
        <translation>Aufzeichnung</translation>
    </message>
    <message>
        <source>Back to live</source>
        <translation>Zurück zu live</translation>
    </message>
    <message>
        <source>Hold the recording</source>
        <translation>Aufzeichnung anhalten</translation>
    </message>
    <message>
        <source>Moment of the recording</source>
        <translation>Zeitpunkt der Aufzeichnung</translation>
    </message>
    <message>
        <source>Speed of the recording</source>
        <translation>Tempo der Aufzeichnung</translation>
    </message>
    <message>
        <source>{factor}×</source>
        <translation>{factor}×</translation>
    </message>
    <message>
        <source>{name} of {moment}</source>
        <translation>{name} vom {moment}</translation>
    </message>
    <message>
        <source>This is a recording, {name} of {moment}, and not what happens now.</source>
        <translation>Das ist eine Aufzeichnung, {name} vom {moment}, und nicht, was jetzt geschieht.</translation>
    </message>
    <message>
        <source>Play the recording</source>
        <translation>Aufzeichnung abspielen</translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) of the file could not be read.</source>
        <translation>
            <numerusform>%n Zeile der Datei konnte nicht gelesen werden.</numerusform>
            <numerusform>%n Zeilen der Datei konnten nicht gelesen werden.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReportTable</name>
    <message>
        <source>Perplexity</source>
        <translation>Perplexität</translation>
    </message>
    <message>
        <source>Agrees</source>
        <translation>Stimmt überein</translation>
    </message>
    <message>
        <source>AWQ, groups of {count}</source>
        <translation>AWQ, Gruppen zu {count}</translation>
    </message>
    <message>
        <source>The original</source>
        <translation>Das Original</translation>
    </message>
    <message>
        <source>Plain rounding</source>
        <translation>Einfaches Runden</translation>
    </message>
    <message>
        <source>On {count} tokens that it was not made with; less perplexity is better. {small} for {large}, made in {time}.</source>
        <translation>Auf {count} Token, mit denen es nicht gemacht wurde; weniger Perplexität ist besser. {small} statt {large}, gemacht in {time}.</translation>
    </message>
</context>
<context>
    <name>SearchFilterBar</name>
    <message>
        <source>Limit the search</source>
        <translation>Suche eingrenzen</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>All folders</source>
        <translation>Alle Ordner</translation>
    </message>
    <message>
        <source>Outside of folders</source>
        <translation>Außerhalb von Ordnern</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>All models</source>
        <translation>Alle Modelle</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeitraum</translation>
    </message>
    <message>
        <source>From … to …</source>
        <translation>Von … bis …</translation>
    </message>
    <message>
        <source>Only in the chat in front</source>
        <translation>Nur im Chat im Vordergrund</translation>
    </message>
    <message>
        <source>Archived chats too</source>
        <translation>Auch archivierte Chats</translation>
    </message>
    <message>
        <source>Search everything</source>
        <translation>Alles durchsuchen</translation>
    </message>
    <message>
        <source>Remove the limit: {limit}</source>
        <translation>Eingrenzung aufheben: {limit}</translation>
    </message>
    <message>
        <source>Chat: {title}</source>
        <translation>Chat: {title}</translation>
    </message>
    <message>
        <source>Folder: {name}</source>
        <translation>Ordner: {name}</translation>
    </message>
    <message>
        <source>Model: {name}</source>
        <translation>Modell: {name}</translation>
    </message>
    <message>
        <source>Without the archive</source>
        <translation>Ohne das Archiv</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>Letzte 30 Tage</translation>
    </message>
    <message>
        <source>Last year</source>
        <translation>Letztes Jahr</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>Jederzeit</translation>
    </message>
    <message>
        <source>Until {day}</source>
        <translation>Bis {day}</translation>
    </message>
    <message>
        <source>Since {day}</source>
        <translation>Seit {day}</translation>
    </message>
    <message>
        <source>{first} to {last}</source>
        <translation>{first} bis {last}</translation>
    </message>
</context>
<context>
    <name>SearchModel</name>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message numerus="yes">
        <source>Show all %n chats</source>
        <translation>
            <numerusform>%n Chat zeigen</numerusform>
            <numerusform>Alle %n Chats zeigen</numerusform>
        </translation>
    </message>
    <message>
        <source>Show more</source>
        <translation>Mehr zeigen</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s), perhaps more</source>
        <translation>
            <numerusform>%n Nachricht, vielleicht mehr</numerusform>
            <numerusform>%n Nachrichten, vielleicht mehr</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n Nachricht</numerusform>
            <numerusform>%n Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>{shown} of {total} messages</source>
        <translation>{shown} von {total} Nachrichten</translation>
    </message>
    <message>
        <source>{shown} of more than {total} messages</source>
        <translation>{shown} von mehr als {total} Nachrichten</translation>
    </message>
</context>
<context>
    <name>SearchPanel</name>
    <message>
        <source>The search did not work. {reason}</source>
        <translation>Die Suche ist misslungen. {reason}</translation>
    </message>
    <message numerus="yes">
        <source>%n result(s)</source>
        <translation>
            <numerusform>%n Treffer</numerusform>
            <numerusform>%n Treffer</numerusform>
        </translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Suche läuft…</translation>
    </message>
    <message>
        <source>No title holds these words.</source>
        <translation>Kein Titel enthält diese Wörter.</translation>
    </message>
    <message>
        <source>Nothing holds all these words within the limits above.</source>
        <translation>In den Grenzen oben enthält nichts alle diese Wörter.</translation>
    </message>
    <message>
        <source>No chat and no message holds all these words.</source>
        <translation>Kein Chat und keine Nachricht enthält alle diese Wörter.</translation>
    </message>
</context>
<context>
    <name>SearchResults</name>
    <message>
        <source>Results of the search</source>
        <translation>Ergebnisse der Suche</translation>
    </message>
</context>
<context>
    <name>Section</name>
    <message>
        <source>{title}, folded</source>
        <translation>{title}, zugeklappt</translation>
    </message>
    <message>
        <source>Unfold</source>
        <translation>Aufklappen</translation>
    </message>
    <message>
        <source>{title}, unfolded</source>
        <translation>{title}, aufgeklappt</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>Zuklappen</translation>
    </message>
</context>
<context>
    <name>SessionHub</name>
    <message>
        <source>Branch of {title}</source>
        <translation>Zweig von {title}</translation>
    </message>
    <message>
        <source>Your chats are still being opened. Send it again in a moment.</source>
        <translation>Ihre Chats werden noch geöffnet. Senden Sie gleich noch einmal.</translation>
    </message>
    <message>
        <source>Chats cannot be saved, so nothing is sent. {reason}</source>
        <translation>Chats können nicht gespeichert werden, deshalb wird nichts gesendet. {reason}</translation>
    </message>
</context>
<context>
    <name>SessionState</name>
    <message>
        <source>new</source>
        <translation>neu</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>liest</translation>
    </message>
    <message>
        <source>writing</source>
        <translation>schreibt</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>misslungen</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Pages of settings</source>
        <translation>Seiten der Einstellungen</translation>
    </message>
</context>
<context>
    <name>SiblingStepper</name>
    <message>
        <source>The version before</source>
        <translation>Die vorige Fassung</translation>
    </message>
    <message>
        <source>The next version</source>
        <translation>Die nächste Fassung</translation>
    </message>
    <message>
        <source>Version {place} of {count}</source>
        <translation>Fassung {place} von {count}</translation>
    </message>
</context>
<context>
    <name>SidewaysBar</name>
    <message>
        <source>Scroll sideways</source>
        <translation>Seitwärts rollen</translation>
    </message>
</context>
<context>
    <name>SignInDialog</name>
    <message>
        <source>Sign in to the hub</source>
        <translation>Beim Hub anmelden</translation>
    </message>
    <message>
        <source>Access token</source>
        <translation>Zugangstoken</translation>
    </message>
    <message>
        <source>Show what I type</source>
        <translation>Zeigen, was ich tippe</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Anmelden</translation>
    </message>
    <message>
        <source>Sign out</source>
        <translation>Abmelden</translation>
    </message>
    <message>
        <source>Make a token…</source>
        <translation>Token erstellen…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Who is signed in?</source>
        <translation>Wer ist angemeldet?</translation>
    </message>
    <message>
        <source>Asking the hub…</source>
        <translation>Der Hub wird gefragt…</translation>
    </message>
    <message>
        <source>Signed in as {name}</source>
        <translation>Angemeldet als {name}</translation>
    </message>
    <message>
        <source>Models that ask who you are can be downloaded, once you have accepted their licences on their pages.</source>
        <translation>Modelle, die fragen, wer Sie sind, lassen sich herunterladen, sobald Sie auf ihren Seiten die Lizenz angenommen haben.</translation>
    </message>
    <message>
        <source>Some models are given only to people the hub knows. Make an access token on its website (one that can only read is enough) and paste it here.</source>
        <translation>Manche Modelle bekommt nur, wen der Hub kennt. Erstellen Sie auf seiner Website ein Zugangstoken (eines, das nur lesen darf, genügt) und fügen Sie es hier ein.</translation>
    </message>
    <message>
        <source>Signing in…</source>
        <translation>Die Anmeldung läuft…</translation>
    </message>
    <message>
        <source>The token comes from the variable HF_TOKEN of your session; it is not kept here, and ends only there.</source>
        <translation>Das Token kommt aus der Variable HF_TOKEN Ihrer Sitzung; hier wird es nicht aufbewahrt, und nur dort lässt es sich beenden.</translation>
    </message>
    <message>
        <source>The token is in {path}, where the hub&apos;s own tools keep it too. Signing out deletes it there.</source>
        <translation>Das Token liegt in {path}, wo es auch die Werkzeuge des Hubs aufbewahren. Abmelden löscht es dort.</translation>
    </message>
    <message>
        <source>It is kept in {path}, readable by you alone, where the hub&apos;s own tools find it too. The engine never sees it.</source>
        <translation>Es liegt in {path}, nur für Sie lesbar, wo es auch die Werkzeuge des Hubs finden. Die Engine sieht es nie.</translation>
    </message>
    <message>
        <source>It is kept where the hub&apos;s own tools keep it. The engine never sees it.</source>
        <translation>Es liegt dort, wo die Werkzeuge des Hubs es aufbewahren. Die Engine sieht es nie.</translation>
    </message>
    <message>
        <source>The hub does not know this token. Copy it again, whole.</source>
        <translation>Der Hub kennt dieses Token nicht. Kopieren Sie es noch einmal, vollständig.</translation>
    </message>
</context>
<context>
    <name>SplitArea</name>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Pane {number} of {count}</source>
        <translation>Bereich {number} von {count}</translation>
    </message>
    <message>
        <source>Go to the next pane; all of them are shown in a larger window</source>
        <translation>Zum nächsten Bereich; in einem größeren Fenster sind alle zu sehen</translation>
    </message>
    <message>
        <source>Go to the next pane</source>
        <translation>Zum nächsten Bereich</translation>
    </message>
</context>
<context>
    <name>StageBar</name>
    <message>
        <source>{stage}: {facts}</source>
        <translation>{stage}: {facts}</translation>
    </message>
    <message>
        <source>ahead</source>
        <translation>steht bevor</translation>
    </message>
    <message>
        <source>ended after {time}</source>
        <translation>nach {time} beendet</translation>
    </message>
    <message>
        <source>usually {time}</source>
        <translation>sonst {time}</translation>
    </message>
</context>
<context>
    <name>StatusBar</name>
    <message>
        <source>Engine state</source>
        <translation>Zustand der Engine</translation>
    </message>
    <message>
        <source>Speed of all answers together</source>
        <translation>Tempo aller Antworten zusammen</translation>
    </message>
    <message>
        <source>KV cache in use</source>
        <translation>Genutzter KV-Cache</translation>
    </message>
    <message>
        <source>Memory of the engine</source>
        <translation>Speicher der Engine</translation>
    </message>
    <message>
        <source>{rate} tokens/s</source>
        <translation>{rate} Token/s</translation>
    </message>
    <message>
        <source>KV {percent} % · {used} of {total} blocks</source>
        <translation>KV {percent} % · {used} von {total} Blöcken</translation>
    </message>
    <message>
        <source>Memory {size}</source>
        <translation>Speicher {size}</translation>
    </message>
    <message>
        <source>{count} waiting for the model</source>
        <translation>{count} warten auf das Modell</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>Kein Modell</translation>
    </message>
    <message>
        <source>{count} waiting</source>
        <translation>{count} warten</translation>
    </message>
    <message>
        <source>KV {percent} %</source>
        <translation>KV {percent} %</translation>
    </message>
</context>
<context>
    <name>StopReason</name>
    <message>
        <source>You stopped it.</source>
        <translation>Sie haben sie angehalten.</translation>
    </message>
    <message>
        <source>It was interrupted: the engine or the window went away.</source>
        <translation>Sie wurde unterbrochen: Die Engine oder das Fenster war fort.</translation>
    </message>
    <message>
        <source>It failed.</source>
        <translation>Sie ist misslungen.</translation>
    </message>
    <message>
        <source>It met the stop string “{stop}”.</source>
        <translation>Sie traf auf den Stopptext „{stop}“.</translation>
    </message>
    <message>
        <source>The model ended its answer.</source>
        <translation>Das Modell hat seine Antwort beendet.</translation>
    </message>
    <message>
        <source>It reached the longest answer that this chat allows.</source>
        <translation>Sie erreichte die längste Antwort, die dieser Chat erlaubt.</translation>
    </message>
    <message>
        <source>The context is full: the model can read no more.</source>
        <translation>Der Kontext ist voll: Das Modell kann nicht mehr lesen.</translation>
    </message>
</context>
<context>
    <name>StopStrings</name>
    <message>
        <source>Stop strings, one a line</source>
        <translation>Stopptexte, einer je Zeile</translation>
    </message>
    <message>
        <source>One a line; the answer ends before the first of them. \n stands for a line break, \t for a tab, \\ for a backslash.</source>
        <translation>Einer je Zeile; die Antwort endet vor dem ersten davon. \n steht für einen Zeilenumbruch, \t für einen Tabulator, \\ für einen Backslash.</translation>
    </message>
</context>
<context>
    <name>StoragePage</name>
    <message>
        <source>Chats and storage</source>
        <translation>Chats und Ablage</translation>
    </message>
    <message>
        <source>Your chats are kept in</source>
        <translation>Ihre Chats liegen in</translation>
    </message>
    <message>
        <source>They take</source>
        <translation>Sie belegen</translation>
    </message>
    <message>
        <source>Last backup</source>
        <translation>Letzte Sicherung</translation>
    </message>
    <message>
        <source>A backup is made each day, seven are kept, and one before every update.</source>
        <translation>Jeden Tag entsteht eine Sicherung, sieben bleiben erhalten, dazu eine vor jedem Update.</translation>
    </message>
    <message>
        <source>Back up now</source>
        <translation>Jetzt sichern</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>Noch keine</translation>
    </message>
    <message>
        <source>It is being made…</source>
        <translation>Sie entsteht gerade…</translation>
    </message>
</context>
<context>
    <name>StripReadings</name>
    <message>
        <source>Monitor</source>
        <translation>Monitor</translation>
    </message>
    <message>
        <source>Open the monitor in a window</source>
        <translation>Den Monitor in einem Fenster öffnen</translation>
    </message>
</context>
<context>
    <name>TabArea</name>
    <message>
        <source>Open chats</source>
        <translation>Offene Chats</translation>
    </message>
    <message>
        <source>Close {title}</source>
        <translation>{title} schließen</translation>
    </message>
    <message>
        <source>Close this tab; the chat is kept</source>
        <translation>Diesen Tab schließen; der Chat bleibt erhalten</translation>
    </message>
</context>
<context>
    <name>TabAttaching</name>
    <message>
        <source>Attach text files</source>
        <translation>Textdateien anhängen</translation>
    </message>
    <message>
        <source>At most {count} texts go with one message.</source>
        <translation>Mit einer Nachricht gehen höchstens {count} Texte.</translation>
    </message>
    <message>
        <source>And {count} more could not be attached.</source>
        <translation>Weitere {count} konnten nicht angehängt werden.</translation>
    </message>
    <message>
        <source>{size}; the first {shown} are shown</source>
        <translation>{size}; die ersten {shown} sind zu sehen</translation>
    </message>
</context>
<context>
    <name>TabComposing</name>
    <message>
        <source>Editing your message. Sending it makes a new branch; the old one stays.</source>
        <translation>Sie bearbeiten Ihre Nachricht. Senden ergibt einen neuen Zweig; der alte bleibt.</translation>
    </message>
    <message>
        <source>Editing the answer. The old one stays beside it.</source>
        <translation>Sie bearbeiten die Antwort. Die alte bleibt daneben.</translation>
    </message>
    <message>
        <source>The message is not there any more. Press Escape to go on.</source>
        <translation>Die Nachricht ist nicht mehr da. Drücken Sie Escape, um fortzufahren.</translation>
    </message>
</context>
<context>
    <name>TabModel</name>
    <message>
        <source>Your message waits for {model}, which is not loaded.</source>
        <translation>Ihre Nachricht wartet auf {model}; das ist nicht geladen.</translation>
    </message>
    <message>
        <source>Load {model}</source>
        <translation>{model} laden</translation>
    </message>
    <message>
        <source>Let {model} answer</source>
        <translation>{model} antworten lassen</translation>
    </message>
</context>
<context>
    <name>TabReading</name>
    <message>
        <source>“{words}” was deleted.</source>
        <translation>„{words}“ wurde gelöscht.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>TextDialog</name>
    <message>
        <source>Copy all</source>
        <translation>Alles kopieren</translation>
    </message>
    <message>
        <source>The last lines the engine wrote. They hold no text of your chats.</source>
        <translation>Die letzten Zeilen der Engine. Sie enthalten keinen Text Ihrer Chats.</translation>
    </message>
    <message>
        <source>The engine has written nothing yet.</source>
        <translation>Die Engine hat noch nichts geschrieben.</translation>
    </message>
    <message>
        <source>Engine log</source>
        <translation>Engine-Protokoll</translation>
    </message>
</context>
<context>
    <name>ThoughtBar</name>
    <message>
        <source>Copy what it thought</source>
        <translation>Gedanken kopieren</translation>
    </message>
    <message>
        <source>Hide what it thought</source>
        <translation>Gedanken verbergen</translation>
    </message>
    <message>
        <source>Show what it thought</source>
        <translation>Gedanken zeigen</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>Denkt nach…</translation>
    </message>
    <message>
        <source>Broke off while it was thinking</source>
        <translation>Beim Nachdenken abgebrochen</translation>
    </message>
    <message>
        <source>Thought</source>
        <translation>Nachgedacht</translation>
    </message>
    <message>
        <source>Thinking… {time}</source>
        <translation>Denkt nach… {time}</translation>
    </message>
    <message>
        <source>Broke off after thinking for {time}</source>
        <translation>Nach {time} Nachdenken abgebrochen</translation>
    </message>
    <message>
        <source>Thought for {time}</source>
        <translation>{time} nachgedacht</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} min {seconds} s</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>Throughput</name>
    <message>
        <source>at most {most}</source>
        <translation>höchstens {most}</translation>
    </message>
    <message>
        <source>{share} of {most}</source>
        <translation>{share} von {most}</translation>
    </message>
    <message>
        <source>not known for this card</source>
        <translation>für diese Karte nicht bekannt</translation>
    </message>
    <message>
        <source>not known for this processor</source>
        <translation>für diesen Prozessor nicht bekannt</translation>
    </message>
    <message>
        <source>not known for this model</source>
        <translation>für dieses Modell nicht bekannt</translation>
    </message>
    <message>
        <source>not known with weights in RAM</source>
        <translation>mit Gewichten im RAM nicht bekannt</translation>
    </message>
    <message>
        <source>not known yet</source>
        <translation>noch nicht bekannt</translation>
    </message>
    <message>
        <source>The bandwidth of this card&apos;s memory is not told and in no table.</source>
        <translation>Die Bandbreite des Speichers dieser Karte wird nicht gemeldet und steht in keiner Tabelle.</translation>
    </message>
    <message>
        <source>The bandwidth of this computer&apos;s memory has not been measured.</source>
        <translation>Die Bandbreite des Arbeitsspeichers dieses Rechners wurde nicht gemessen.</translation>
    </message>
    <message>
        <source>The model&apos;s files do not tell how it is built.</source>
        <translation>Die Dateien des Modells sagen nicht, wie es gebaut ist.</translation>
    </message>
    <message>
        <source>Some of the weights come over PCIe for each token, which is slower by far.</source>
        <translation>Ein Teil der Gewichte kommt für jedes Token über PCIe; das ist weit langsamer.</translation>
    </message>
    <message>
        <source>For one chat that has just begun.</source>
        <translation>Für einen Chat, der gerade begonnen hat.</translation>
    </message>
    <message>
        <source>For one chat of {tokens} tokens.</source>
        <translation>Für einen Chat mit {tokens} Token.</translation>
    </message>
    <message>
        <source>For {chats} chats of {tokens} tokens each, on average.</source>
        <translation>Für {chats} Chats mit durchschnittlich je {tokens} Token.</translation>
    </message>
    <message>
        <source>each of {count} GPUs reads</source>
        <translation>liest jede der {count} GPUs</translation>
    </message>
    <message>
        <source>are read</source>
        <translation>liest das Gerät</translation>
    </message>
    <message>
        <source>For each step {each} {size} (the weights once for all chats, and each chat&apos;s KV cache) at {bandwidth} GB/s.</source>
        <translation>Je Schritt {each} {size} (die Gewichte einmal für alle Chats, dazu den KV-Cache jedes Chats) mit {bandwidth} GB/s.</translation>
    </message>
    <message>
        <source>No model is loaded.</source>
        <translation>Kein Modell ist geladen.</translation>
    </message>
    <message>
        <source>No answer has begun in the last minute.</source>
        <translation>In der letzten Minute hat keine Antwort begonnen.</translation>
    </message>
    <message>
        <source>No answer has gone on in the last minute.</source>
        <translation>In der letzten Minute ging keine Antwort weiter.</translation>
    </message>
    <message>
        <source>No prompt has been read in the last minute.</source>
        <translation>In der letzten Minute wurde kein Prompt gelesen.</translation>
    </message>
    <message>
        <source>The engine has not told it yet.</source>
        <translation>Die Engine hat es noch nicht gemeldet.</translation>
    </message>
</context>
<context>
    <name>ThroughputView</name>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Tokens written, of all chats together.</source>
        <translation>Geschriebene Token aller Chats zusammen.</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>Tokens of prompts read, without those found in the prefix cache.</source>
        <translation>Gelesene Token der Prompts, ohne die im Präfix-Cache gefundenen.</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <source>running</source>
        <translation>laufen</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>warten</translation>
    </message>
    <message>
        <source>Answers that are being written, and those that wait for a place.</source>
        <translation>Antworten, die gerade geschrieben werden, und solche, die auf einen Platz warten.</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>Erstes Token</translation>
    </message>
    <message>
        <source>From the question to the first token: half, and 90 %, are faster.</source>
        <translation>Von der Frage bis zum ersten Token: Die Hälfte und 90 % sind schneller.</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>Nächstes Token</translation>
    </message>
    <message>
        <source>From one token of an answer to its next: half, and 90 %, are faster.</source>
        <translation>Von einem Token einer Antwort zum nächsten: Die Hälfte und 90 % sind schneller.</translation>
    </message>
    <message>
        <source>Prefix hits</source>
        <translation>Präfix-Treffer</translation>
    </message>
    <message>
        <source>Of the prompts&apos; tokens of the last minute, those found in the cache.</source>
        <translation>Von den Token der Prompts in der letzten Minute die im Cache gefundenen.</translation>
    </message>
    <message>
        <source>Preempted</source>
        <translation>Zurückgestellt</translation>
    </message>
    <message>
        <source>Answers sent back to the queue for want of room, since the load.</source>
        <translation>Antworten, die aus Platzmangel in die Reihe zurückgestellt wurden, seit dem Laden.</translation>
    </message>
    <message>
        <source>Of what the memory&apos;s bandwidth allows</source>
        <translation>Anteil dessen, was die Speicherbandbreite erlaubt</translation>
    </message>
    <message>
        <source>The model sleeps: its weights are in RAM.</source>
        <translation>Das Modell schläft: Seine Gewichte sind im RAM.</translation>
    </message>
    <message>
        <source>The model is being loaded.</source>
        <translation>Das Modell wird geladen.</translation>
    </message>
    <message>
        <source>The engine has not told anything yet.</source>
        <translation>Die Engine hat noch nichts gemeldet.</translation>
    </message>
    <message>
        <source>No model is loaded.</source>
        <translation>Kein Modell ist geladen.</translation>
    </message>
</context>
<context>
    <name>TimelineView</name>
    <message>
        <source>Nothing has been loaded yet.</source>
        <translation>Noch wurde nichts geladen.</translation>
    </message>
    <message>
        <source>Loading for {time}</source>
        <translation>Lädt seit {time}</translation>
    </message>
    <message>
        <source>Ended after {time}</source>
        <translation>Nach {time} beendet</translation>
    </message>
    <message>
        <source>Loaded in {time}</source>
        <translation>Geladen in {time}</translation>
    </message>
    <message>
        <source>usually {time}</source>
        <translation>sonst {time}</translation>
    </message>
</context>
<context>
    <name>TokenMeter</name>
    <message>
        <source>about {tokens} tokens</source>
        <translation>etwa {tokens} Token</translation>
    </message>
    <message>
        <source>{tokens} of {context} tokens</source>
        <translation>{tokens} von {context} Token</translation>
    </message>
    <message>
        <source>about {tokens} of {context} tokens</source>
        <translation>etwa {tokens} von {context} Token</translation>
    </message>
    <message>
        <source>{count} tokens are kept for the answer.</source>
        <translation>{count} Token sind für die Antwort bestimmt.</translation>
    </message>
    <message>
        <source>{count} tokens too many:</source>
        <translation>{count} Token zu viel:</translation>
    </message>
    <message>
        <source>About {count} tokens too many:</source>
        <translation>Etwa {count} Token zu viel:</translation>
    </message>
    <message>
        <source>it will be refused.</source>
        <translation>sie wird abgelehnt.</translation>
    </message>
    <message>
        <source>it will be refused, since this message alone is too long.</source>
        <translation>sie wird abgelehnt, denn schon diese Nachricht allein ist zu lang.</translation>
    </message>
    <message>
        <source>the oldest messages will be left out.</source>
        <translation>die ältesten Nachrichten bleiben weg.</translation>
    </message>
    <message>
        <source>you will be asked what to leave out.</source>
        <translation>Sie werden gefragt, was wegbleiben soll.</translation>
    </message>
    <message>
        <source>the oldest message will be left out.</source>
        <translation>die älteste Nachricht bleibt weg.</translation>
    </message>
    <message>
        <source>the oldest {count} messages will be left out.</source>
        <translation>die ältesten {count} Nachrichten bleiben weg.</translation>
    </message>
    <message>
        <source>the oldest message would be left out; you will be asked.</source>
        <translation>die älteste Nachricht bliebe weg; Sie werden gefragt.</translation>
    </message>
    <message>
        <source>the oldest {count} messages would be left out; you will be asked.</source>
        <translation>die ältesten {count} Nachrichten blieben weg; Sie werden gefragt.</translation>
    </message>
</context>
<context>
    <name>TpTrial</name>
    <message>
        <source>The engine stopped without a word.</source>
        <translation>Die Engine ist ohne ein Wort stehen geblieben.</translation>
    </message>
    <message>
        <source>The measurement did not end in time.</source>
        <translation>Die Messung wurde nicht rechtzeitig fertig.</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Transcript</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Sent along with your message.</source>
        <translation>Ging mit Ihrer Nachricht.</translation>
    </message>
    <message>
        <source>The answer is complete: {text}</source>
        <translation>Die Antwort ist fertig: {text}</translation>
    </message>
    <message>
        <source>The answer failed: {error}</source>
        <translation>Die Antwort ist misslungen: {error}</translation>
    </message>
    <message>
        <source>The answer was interrupted: {text}</source>
        <translation>Die Antwort wurde unterbrochen: {text}</translation>
    </message>
    <message>
        <source>The answer was stopped: {text}</source>
        <translation>Die Antwort wurde angehalten: {text}</translation>
    </message>
    <message>
        <source>Go to the end</source>
        <translation>Zum Ende</translation>
    </message>
</context>
<context>
    <name>TransferDialog</name>
    <message>
        <source>What could not be taken over</source>
        <translation>Was nicht übernommen werden konnte</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird angehalten…</translation>
    </message>
    <message>
        <source>What went wrong</source>
        <translation>Was schiefgegangen ist</translation>
    </message>
</context>
<context>
    <name>TransferWords</name>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>Gedankengang</translation>
    </message>
    <message>
        <source>Attached: {name}</source>
        <translation>Angehängt: {name}</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>This answer was not finished.</source>
        <translation>Diese Antwort wurde nicht beendet.</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) written to {path}</source>
        <translation>
            <numerusform>%n Chat nach {path} geschrieben</numerusform>
            <numerusform>%n Chats nach {path} geschrieben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) imported.</source>
        <translation>
            <numerusform>%n Chat importiert.</numerusform>
            <numerusform>%n Chats importiert.</numerusform>
        </translation>
    </message>
    <message>
        <source>You stopped it there. What was imported until then stays.</source>
        <translation>Sie haben dort angehalten. Was bis dahin importiert war, bleibt.</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) were here already and were not imported.</source>
        <translation>
            <numerusform>%n Chat war schon hier und wurde nicht importiert.</numerusform>
            <numerusform>%n Chats waren schon hier und wurden nicht importiert.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) held no message and were passed over.</source>
        <translation>
            <numerusform>%n Chat enthielt keine Nachricht und wurde übergangen.</numerusform>
            <numerusform>%n Chats enthielten keine Nachricht und wurden übergangen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) could not be imported:</source>
        <translation>
            <numerusform>%n Chat konnte nicht importiert werden:</numerusform>
            <numerusform>%n Chats konnten nicht importiert werden:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) or file(s) are not in the export; a note stands in their place.</source>
        <translation>
            <numerusform>%n Bild oder Datei ist nicht im Export; an der Stelle steht ein Hinweis.</numerusform>
            <numerusform>%n Bilder oder Dateien sind nicht im Export; an ihrer Stelle steht ein Hinweis.</numerusform>
        </translation>
    </message>
    <message>
        <source>without a title</source>
        <translation>ohne Titel</translation>
    </message>
    <message>
        <source>No. {number}, “{title}”: {what}</source>
        <translation>Nr. {number}, „{title}“: {what}</translation>
    </message>
    <message>
        <source>There is no file {path}.</source>
        <translation>Die Datei {path} gibt es nicht.</translation>
    </message>
    <message>
        <source>{path} cannot be read: {reason}.</source>
        <translation>{path} kann nicht gelesen werden: {reason}.</translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}. Choose another place.</source>
        <translation>{path} kann nicht geschrieben werden: {reason}. Wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>You have no permission for {path}. Choose another place.</source>
        <translation>Sie haben keine Rechte für {path}. Wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>The disk is full, so nothing was written to {path}. Free some space, or choose another place.</source>
        <translation>Die Platte ist voll, deshalb wurde nichts nach {path} geschrieben. Schaffen Sie Platz oder wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>The file is larger than {megabytes} MB; more is not read.</source>
        <translation>Die Datei ist größer als {megabytes} MB; mehr wird nicht gelesen.</translation>
    </message>
    <message>
        <source>This is neither a file of chats from Inglenook nor a ChatGPT export (conversations.json, or the .zip that holds it).</source>
        <translation>Das ist weder eine Datei mit Chats aus Inglenook noch ein ChatGPT-Export (conversations.json oder die .zip, die sie enthält).</translation>
    </message>
    <message>
        <source>The file was written by a newer Inglenook (format {version}). Update this one.</source>
        <translation>Die Datei stammt von einem neueren Inglenook (Format {version}). Aktualisieren Sie dieses.</translation>
    </message>
    <message>
        <source>There is no conversations.json in this .zip file.</source>
        <translation>In dieser .zip-Datei ist keine conversations.json.</translation>
    </message>
    <message>
        <source>The .zip file is damaged. Download or copy it again.</source>
        <translation>Die .zip-Datei ist beschädigt. Laden oder kopieren Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>The .zip file needs a password. Unpack it, then import the .json.</source>
        <translation>Die .zip-Datei verlangt ein Passwort. Entpacken Sie sie und importieren Sie dann die .json.</translation>
    </message>
    <message>
        <source>The .zip file unpacks to far more than chats ever do. It was not read.</source>
        <translation>Die .zip-Datei entpackt sich zu weit mehr, als Chats je ergeben. Sie wurde nicht gelesen.</translation>
    </message>
    <message>
        <source>The file holds more than {most} chats. The others were not read.</source>
        <translation>Die Datei enthält mehr als {most} Chats. Die übrigen wurden nicht gelesen.</translation>
    </message>
    <message>
        <source>The file ends in the middle. What stood before that was imported.</source>
        <translation>Die Datei bricht mittendrin ab. Was davor stand, wurde importiert.</translation>
    </message>
    <message>
        <source>it is larger than {megabytes} MB</source>
        <translation>er ist größer als {megabytes} MB</translation>
    </message>
    <message>
        <source>it is nested deeper than {most} levels</source>
        <translation>er ist tiefer als {most} Ebenen verschachtelt</translation>
    </message>
    <message>
        <source>it has more than {most} parts</source>
        <translation>er hat mehr als {most} Teile</translation>
    </message>
    <message>
        <source>it is not valid JSON ({reason})</source>
        <translation>er ist kein gültiges JSON ({reason})</translation>
    </message>
    <message>
        <source>something is of the wrong kind: {where}</source>
        <translation>etwas ist von falscher Art: {where}</translation>
    </message>
    <message>
        <source>something is missing: {where}</source>
        <translation>etwas fehlt: {where}</translation>
    </message>
    <message>
        <source>something is there twice: {where}</source>
        <translation>etwas ist doppelt da: {where}</translation>
    </message>
    <message>
        <source>a message answers one that is not there: {where}</source>
        <translation>eine Nachricht antwortet auf eine, die nicht da ist: {where}</translation>
    </message>
    <message>
        <source>its messages follow each other in a circle: {where}</source>
        <translation>seine Nachrichten folgen einander im Kreis: {where}</translation>
    </message>
    <message>
        <source>it has no messages</source>
        <translation>er hat keine Nachrichten</translation>
    </message>
    <message>
        <source>it was deleted meanwhile</source>
        <translation>er wurde inzwischen gelöscht</translation>
    </message>
    <message>
        <source>it could not be saved: {reason}</source>
        <translation>er konnte nicht gespeichert werden: {reason}</translation>
    </message>
</context>
<context>
    <name>TrialDialog</name>
    <message>
        <source>One GPU against two</source>
        <translation>Eine GPU gegen zwei</translation>
    </message>
    <message>
        <source>The model is loaded both ways and measured; it takes as long as two loads.</source>
        <translation>Das Modell wird auf beide Arten geladen und gemessen; das dauert so lange wie zweimal Laden.</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird angehalten…</translation>
    </message>
    <message>
        <source>is being loaded…</source>
        <translation>wird geladen…</translation>
    </message>
    <message>
        <source>is being measured…</source>
        <translation>wird gemessen…</translation>
    </message>
    <message>
        <source>Loading what is kept…</source>
        <translation>Das Behaltene wird geladen…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>TrialWords</name>
    <message>
        <source>One GPU</source>
        <translation>Eine GPU</translation>
    </message>
    <message>
        <source>Two GPUs</source>
        <translation>Zwei GPUs</translation>
    </message>
    <message>
        <source>It could not be measured.</source>
        <translation>Es konnte nicht gemessen werden.</translation>
    </message>
    <message>
        <source>{seconds} s for a question of 512 tokens and its answer</source>
        <translation>{seconds} s für eine Frage mit 512 Token und ihre Antwort</translation>
    </message>
    <message>
        <source>without the direct link between the GPUs</source>
        <translation>ohne die direkte Verbindung zwischen den GPUs</translation>
    </message>
    <message>
        <source>One chat: writes {write} tokens/s, reads {read} tokens/s</source>
        <translation>Ein Chat: schreibt {write} Token/s, liest {read} Token/s</translation>
    </message>
    <message>
        <source>{count} chats together: write {write} tokens/s, read {read} tokens/s</source>
        <translation>{count} Chats zusammen: schreiben {write} Token/s, lesen {read} Token/s</translation>
    </message>
    <message>
        <source>Stopped. What was loaded before is loaded again.</source>
        <translation>Angehalten. Was vorher geladen war, wird wieder geladen.</translation>
    </message>
    <message>
        <source>Neither could be measured. What was loaded before is loaded again.</source>
        <translation>Keines von beiden konnte gemessen werden. Was vorher geladen war, wird wieder geladen.</translation>
    </message>
    <message>
        <source>Only this could be measured: {way}.</source>
        <translation>Nur dies konnte gemessen werden: {way}.</translation>
    </message>
    <message>
        <source>Two GPUs are faster: {percent} % less time.</source>
        <translation>Zwei GPUs sind schneller: {percent} % weniger Zeit.</translation>
    </message>
    <message>
        <source>Two GPUs save too little to be worth the second one: {percent} %.</source>
        <translation>Zwei GPUs sparen zu wenig, um die zweite zu lohnen: {percent} %.</translation>
    </message>
    <message>
        <source>One GPU is as fast or faster, and the other stays free.</source>
        <translation>Eine GPU ist ebenso schnell oder schneller, und die andere bleibt frei.</translation>
    </message>
    <message>
        <source>The faster way is loaded, and remembered for this model.</source>
        <translation>Der schnellere Weg wird geladen und für dieses Modell gemerkt.</translation>
    </message>
    <message>
        <source>What was loaded before is loaded again.</source>
        <translation>Was vorher geladen war, wird wieder geladen.</translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Chat deleted</source>
        <translation>Chat gelöscht</translation>
    </message>
    <message>
        <source>“{title}” was deleted.</source>
        <translation>„{title}“ wurde gelöscht.</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) deleted</source>
        <translation>
            <numerusform>%n Chat gelöscht</numerusform>
            <numerusform>%n Chats gelöscht</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>UndoNotice</name>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>UnfinishedMove</name>
    <message>
        <source>The move of the models into {folder} was broken off. They are all where they were.</source>
        <translation>Das Verschieben der Modelle nach {folder} wurde abgebrochen. Sie sind alle, wo sie waren.</translation>
    </message>
    <message>
        <source>Go on…</source>
        <translation>Weiter…</translation>
    </message>
    <message>
        <source>Give it up</source>
        <translation>Aufgeben</translation>
    </message>
    <message>
        <source>What the move had copied is being taken away…</source>
        <translation>Was schon kopiert war, wird entfernt…</translation>
    </message>
</context>
<context>
    <name>UseChips</name>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Good at: {use}</source>
        <translation>Gut für: {use}</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>What is on your mind?</source>
        <translation>Was beschäftigt Sie?</translation>
    </message>
    <message>
        <source>Explain how a language model picks its next word</source>
        <translation>Erkläre, wie ein Sprachmodell sein nächstes Wort wählt</translation>
    </message>
    <message>
        <source>Write a short letter that turns an invitation down kindly</source>
        <translation>Schreibe einen kurzen Brief, der eine Einladung freundlich ablehnt</translation>
    </message>
    <message>
        <source>Give me three ideas for dinner with eggs and spinach</source>
        <translation>Nenne mir drei Ideen für ein Abendessen mit Eiern und Spinat</translation>
    </message>
    <message>
        <source>Suggestion: {text}</source>
        <translation>Vorschlag: {text}</translation>
    </message>
    <message>
        <source>The starter model is small. Get a better model…</source>
        <translation>Das Startmodell ist klein. Ein besseres Modell holen…</translation>
    </message>
    <message>
        <source>Get a better model</source>
        <translation>Ein besseres Modell holen</translation>
    </message>
    <message>
        <source>{model} is ready. Nothing you write leaves this computer.</source>
        <translation>{model} ist bereit. Nichts, was Sie schreiben, verlässt diesen Rechner.</translation>
    </message>
    <message>
        <source>{model} is being loaded. Write and send already: your message waits for the model, and several chats can wait at once.</source>
        <translation>{model} wird geladen. Schreiben und senden Sie ruhig schon: Ihre Nachricht wartet auf das Modell, auch mehrere Chats können zugleich warten.</translation>
    </message>
    <message>
        <source>The engine is starting. Write and send already: your message waits for the model.</source>
        <translation>Die Engine startet. Schreiben und senden Sie ruhig schon: Ihre Nachricht wartet auf das Modell.</translation>
    </message>
    <message>
        <source>{model} sleeps. Your next message wakes it.</source>
        <translation>{model} schläft. Ihre nächste Nachricht weckt es.</translation>
    </message>
    <message>
        <source>This chat asks {model}, which is not loaded. What you send waits for it.</source>
        <translation>Dieser Chat fragt {model}; das ist nicht geladen. Was Sie senden, wartet darauf.</translation>
    </message>
    <message>
        <source>No model is loaded. Choose one with Models, Load a model folder; what you send waits for it.</source>
        <translation>Kein Modell ist geladen. Wählen Sie eines mit Modelle, Modellordner laden; was Sie senden, wartet darauf.</translation>
    </message>
    <message>
        <source>No model can answer now; the notice above says why and what helps. What you send waits.</source>
        <translation>Gerade kann kein Modell antworten; der Hinweis oben sagt, warum und was hilft. Was Sie senden, wartet.</translation>
    </message>
    <message>
        <source>The model</source>
        <translation>Das Modell</translation>
    </message>
</context>
<context>
    <name>WindowBody</name>
    <message>
        <source>No chat is open. Choose one from the list, or begin a new one.</source>
        <translation>Kein Chat ist offen. Wählen Sie einen aus der Liste oder beginnen Sie einen neuen.</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
</context>
<context>
    <name>WindowCommands</name>
    <message>
        <source>About Inglenook</source>
        <translation>Über Inglenook</translation>
    </message>
    <message>
        <source>Inglenook {version}</source>
        <translation>Inglenook {version}</translation>
    </message>
    <message>
        <source>Chat with language models that run on this computer, with vLLM inside. Nothing leaves the machine unless you ask.</source>
        <translation>Chatten Sie mit Sprachmodellen, die auf diesem Rechner laufen, mit vLLM im Inneren. Nichts verlässt den Rechner, außer Sie wünschen es.</translation>
    </message>
</context>
<context>
    <name>WorkDialog</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>It is still at work.</source>
        <translation>Es ist noch an der Arbeit.</translation>
    </message>
    <message>
        <source>What it has begun is cleared away if you stop it.</source>
        <translation>Was es begonnen hat, wird aufgeräumt, wenn Sie es anhalten.</translation>
    </message>
    <message>
        <source>Stopping, and clearing up…</source>
        <translation>Wird angehalten und aufgeräumt…</translation>
    </message>
</context>
<context>
    <name>_AlertRow</name>
    <message>
        <source>Show it</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Mute</source>
        <translation>Stumm schalten</translation>
    </message>
    <message numerus="yes">
        <source>For %n minute(s)</source>
        <translation>
            <numerusform>Für %n Minute</numerusform>
            <numerusform>Für %n Minuten</numerusform>
        </translation>
    </message>
    <message>
        <source>Until Inglenook ends</source>
        <translation>Bis Inglenook beendet wird</translation>
    </message>
    <message>
        <source>Show it: {alert}</source>
        <translation>Zeigen: {alert}</translation>
    </message>
    <message>
        <source>Mute: {alert}</source>
        <translation>Stumm schalten: {alert}</translation>
    </message>
</context>
<context>
    <name>_Candidate</name>
    <message>
        <source>Answer {number}</source>
        <translation>Antwort {number}</translation>
    </message>
    <message>
        <source>Use this answer</source>
        <translation>Diese Antwort nehmen</translation>
    </message>
    <message>
        <source>Go on with answer {number} ({number}, then Enter)</source>
        <translation>Mit Antwort {number} weiter ({number}, dann Enter)</translation>
    </message>
    <message>
        <source>Use answer {number}</source>
        <translation>Antwort {number} nehmen</translation>
    </message>
    <message>
        <source>Answer {number} · {model}</source>
        <translation>Antwort {number} · {model}</translation>
    </message>
</context>
<context>
    <name>_Chip</name>
    <message>
        <source>Attached: {name}, {size}</source>
        <translation>Angehängt: {name}, {size}</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
</context>
<context>
    <name>_Device</name>
    <message>
        <source>not told</source>
        <translation>nicht gemeldet</translation>
    </message>
    <message>
        <source>Other programs: {names}</source>
        <translation>Andere Programme: {names}</translation>
    </message>
    <message>
        <source>{device}, {total}: {parts}</source>
        <translation>{device}, {total}: {parts}</translation>
    </message>
</context>
<context>
    <name>_Key</name>
    <message>
        <source>{name} {size}</source>
        <translation>{name} {size}</translation>
    </message>
</context>
<context>
    <name>_Tables</name>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <source>Shared</source>
        <translation>Geteilt</translation>
    </message>
    <message>
        <source>Tokens in cache</source>
        <translation>Token im Cache</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Chats in the KV cache</source>
        <translation>Chats im KV-Cache</translation>
    </message>
    <message>
        <source>Runs of KV blocks</source>
        <translation>Folgen von KV-Blöcken</translation>
    </message>
    <message>
        <source>Tables of the KV cache</source>
        <translation>Tabellen des KV-Caches</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>genutzt</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>geteilt</translation>
    </message>
    <message>
        <source>cached</source>
        <translation>im Cache</translation>
    </message>
    <message>
        <source>free</source>
        <translation>frei</translation>
    </message>
</context>
</TS>
